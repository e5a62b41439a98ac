import { Problem } from './problem.js';

/** A read of the API, as far as screens need it. */
export interface Read<Answer> {
  data: Answer | undefined;
  error: Error | null;
  /** Whether nothing is known, and the first answer is on its way. */
  isLoading: boolean;
  refetch: () => unknown;
}

/** Why a read failed, with a button to read again. Nothing, if it has not failed. */
export const ReadProblem = ({ of: { error, refetch } }: { of: Pick<Read<unknown>, 'error' | 'refetch'> }) =>
  error && <Problem error={error} onRetry={() => void refetch()} />;
