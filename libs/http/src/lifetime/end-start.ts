import { writeSync } from 'node:fs';
import { lastWords } from '@libs/domain/starts';

/**
 * Ends a process whose start failed. Prints one message without a stack for a known cause, and the stack for a bug. Writes
 * directly, because an exit drops the rest of a stream.
 */
export function endStart(error: unknown): never {
  const { text, exitCode } = lastWords(error);
  writeSync(process.stderr.fd, `${text}\n`);
  process.exit(exitCode);
}
