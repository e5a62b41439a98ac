import { rename, stat } from 'node:fs/promises';

/** A log above this size in bytes is moved to `<name>.1` before the next start. */
const LOG_LIMIT_BYTES = 5 * 1024 * 1024;

/**
 * Limits the log of a process over restarts to the current file and one older file. Never rejects: a log that cannot be moved grows, and
 * must not keep the process from its start.
 */
export async function rotateLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`).catch(() => undefined);
}
