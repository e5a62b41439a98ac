import { TimeoutError, type OperationHandle } from '@landlord/sdk';
import { CommandError, EXIT, usage, type ExitCode } from '../exit.js';
import { durationOf } from '../settings/duration.js';
import { watchSilence } from '../settings/silence.js';
import { interruptible } from './interruptible.js';
import { isTerminal, tell, type Format } from './output.js';

/** An answer that may name an operation. */
export type Followed = { readonly operation?: OperationHandle } | undefined;

/**
 * Waits until the operation has ended, and shows its steps on stderr: lines for people, or with `-o json` one event in a line.
 * Ctrl-C and the timeout end the wait, and the operation continues. Returns the operation.
 */
export async function waitFor(followed: Followed, format: Format, timeout?: string): Promise<OperationView> {
  const operation = followed?.operation;
  if (!operation) throw usage('The request has no operation to wait for.', 'repeat the command without --wait');
  const timeoutMs = timeout === undefined ? undefined : durationOf('--timeout', timeout);
  const report = reporter(format);
  const end = watchSilence(() =>
    report({ step: 'wait', status: 'running', detail: 'no answer for 20 seconds, trying again' }),
  );
  const wait = (signal: AbortSignal): Promise<OperationView> =>
    operation.wait({ signal, ...(timeoutMs !== undefined && { timeoutMs }), onEvent: report });
  try {
    return await interruptible(wait, () => {
      throw endOfWait(operation, 'The wait has ended.', EXIT.interrupted);
    });
  } catch (error) {
    if (!(error instanceof TimeoutError) || timeout === undefined) throw error;
    throw endOfWait(operation, `The operation has not ended within ${timeout}.`, EXIT.timeout);
  } finally {
    end();
  }
}

function endOfWait({ id, app }: OperationHandle, message: string, code: ExitCode): CommandError {
  const group = app === 'main' ? 'operations' : 'runtime-operations';
  return new CommandError(`${message} Operation ${id} continues.`, code, `landlord ${group} get ${id}`);
}

export type OperationView = Awaited<ReturnType<OperationHandle['wait']>>;

interface Event {
  step: string;
  status: string;
  detail: string | null;
}

function reporter(format: Format): (event: Event) => void {
  if (format === 'json') return (event) => tell(JSON.stringify(event));
  let last = '';
  return ({ step, status, detail }) => {
    const line = `${MARKS[status] ?? '·'} ${step.replaceAll('_', ' ')}${detail === null ? '' : `: ${detail}`}`;
    if (line !== last) tell(isTerminal() ? line : `${status} ${step}${detail === null ? '' : `: ${detail}`}`);
    last = line;
  };
}

const MARKS: Record<string, string> = { succeeded: '✓', failed: '✗', running: '…', cancelled: '✗' };
