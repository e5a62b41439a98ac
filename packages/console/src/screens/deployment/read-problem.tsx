import { Problem } from '../../ui/problem.js';

/** A read of the API, as far as screens need it. */
export interface Read<Answer> {
  data: Answer | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** Why a read failed, with a button to read again. Nothing, if it has not failed. */
export const ReadProblem = ({ of: { error, refetch } }: { of: Omit<Read<unknown>, 'data'> }) =>
  error && <Problem error={error} onRetry={() => void refetch()} />;
