import { fileRefusal, StartRefused } from '@libs/domain/starts';
import type { LauncherConfig } from '../config.js';

/** The error itself, or the refusal for a file of the data directory that cannot be written. */
export function explained({ dataDir }: Pick<LauncherConfig, 'dataDir'>, error: unknown): unknown {
  if (error instanceof StartRefused) return error;
  const { path } = (error ?? {}) as NodeJS.ErrnoException;
  const isOwn = path === undefined || `${path}/`.startsWith(`${dataDir}/`);
  return (isOwn ? fileRefusal(dataDir, error) : null) ?? error;
}
