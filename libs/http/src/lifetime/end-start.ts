import { lastWords, sayLast } from '@libs/domain/starts';

/** Ends a process whose start failed. Prints one message without a stack for a known cause, and the stack for a bug. */
export function endStart(error: unknown): never {
  const { text, exitCode } = lastWords(error);
  sayLast(text);
  process.exit(exitCode);
}
