import { writeSync } from 'node:fs';

/** Writes the reason of an exit. Directly, because an exit drops the rest of a stream. A full disk must not change the exit code. */
export function sayLast(text: string): void {
  try {
    writeSync(process.stderr.fd, `${text}\n`);
  } catch {
    // Nobody can read it.
  }
}
