import type { OperationHandle } from '@landlord/sdk';
import { CommandError, EXIT, usage } from '../exit.js';
import { interruptible } from './interruptible.js';
import { isTerminal, tell, type Format } from './output.js';

/** An answer that may name an operation. */
export type Followed = { readonly operation?: OperationHandle } | undefined;

/**
 * Waits until the operation has ended, and shows its steps on stderr: lines for people, or with `-o json` one event in a line.
 * Ctrl-C ends the wait, and the operation goes on. Returns the operation.
 */
export async function waitFor(followed: Followed, format: Format): Promise<unknown> {
  const operation = followed?.operation;
  if (!operation) throw usage('The request has no operation to wait for.', 'repeat the command without --wait');
  return interruptible<unknown>(
    (signal) => operation.wait({ signal, onEvent: reporter(format) }),
    () => {
      const group = operation.app === 'main' ? 'operations' : 'runtime-operations';
      throw new CommandError(
        `The wait has ended. Operation ${operation.id} goes on.`,
        EXIT.interrupted,
        `landlord ${group} get ${operation.id}`,
      );
    },
  );
}

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
