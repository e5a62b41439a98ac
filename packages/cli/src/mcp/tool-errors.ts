import {
  ConnectionError,
  NotFoundError,
  ProblemError,
  UnauthenticatedError,
  UnknownSupervisorError,
} from '@landlord/sdk';
import { CommandError, EXIT } from '../exit.js';
import { hintFor, isExplained } from '../explain-error.js';
import { UNTRUSTED_META, visible, wrapped, type ToolResult } from './results.js';

/** What went wrong, and what to do next. The message can have names of tenants, so it is data. */
export function toolError(error: unknown): ToolResult {
  const { message } = error as Error;
  const data = {
    error: visible(isExplained(error) ? message : `An error of the command line: ${message}`),
    ...(error instanceof ProblemError && { code: error.code, retryable: error.isRetryable }),
  };
  const text = ['The call has failed.', wrapped(data), `What to do: ${nextStep(error)}`].join('\n');
  return { content: [{ type: 'text', text }], isError: true, _meta: UNTRUSTED_META };
}

/** For a model, which has tools instead of a command line. */
export function nextStep(error: unknown): string {
  if (error instanceof UnauthenticatedError)
    return 'The key is wrong or has expired. A person must run "landlord login", and start this server again.';
  if (isUnknown(error)) return 'Use "tree" to see what exists.';
  if (error instanceof ProblemError && error.code === 'protection_code_invalid')
    return 'Ask the person for the newest code of the mail. "request_delete_code" mails another one.';
  if (error instanceof ProblemError && error.code === 'insufficient_permissions')
    return 'The key lacks the permission. A person must give this server another key.';
  if (error instanceof ConnectionError)
    return 'A person must check that the installation runs, and the address with "landlord context show".';
  const hint = hintFor(error);
  if (hint !== null) return forTools(hint);
  if (!isExplained(error)) return 'A person must report this error to the maintainers of Landlord.';
  return error instanceof ProblemError && error.isRetryable ? 'Repeat the call later.' : 'Change the arguments.';
}

const isUnknown = (error: unknown): boolean =>
  error instanceof UnknownSupervisorError ||
  error instanceof NotFoundError ||
  (error instanceof CommandError && error.code === EXIT.notFound);

function forTools(hint: string): string {
  const [, level] = /^add --(\w+)/.exec(hint) ?? [];
  if (level !== undefined) return `Name one by its id in "${level}". "tree" shows the ids.`;
  return hint.startsWith('landlord ') ? `A person must run "${hint}".` : hint;
}
