import { join } from 'node:path';
import { z } from 'zod';
import { readFileIfAnySync, writePrivateFileSync } from '@libs/host/os';
import { LauncherError } from '../launcher-error.js';

/** A path that leads out of no directory. */
const path = z.string().regex(/^(?!\/)(?!(.*\/)?\.{0,2}(\/|$))[^\0]+$/);

const manifestSchema = z.object({
  format: z.literal(1),
  release: z.string(),
  /** Name of the newest migration. */
  schema: z.string(),
  installation: z.string(),
  timeline: z.number(),
  /** Version of PostgreSQL. */
  postgres: z.string(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  start_lsn: z.string(),
  stop_lsn: z.string(),
  with_keys: z.boolean(),
  /** Paths relative to the backup, parents first. */
  directories: z.array(path),
  files: z.record(path, z.object({ bytes: z.number(), sha256: z.string() })),
});

/** The content of a backup. Written last, so a backup without a manifest is incomplete. */
export type BackupManifest = z.output<typeof manifestSchema>;

export const MANIFEST = 'backup.json';

export function writeManifest(directory: string, manifest: BackupManifest): void {
  writePrivateFileSync(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Throws LauncherError when there is no complete backup. */
export function readManifest(directory: string): BackupManifest {
  const text = readFileIfAnySync(join(directory, MANIFEST));
  if (text === null)
    throw new LauncherError(
      `${directory} is not a complete backup: ${MANIFEST} is missing. Landlord writes this file last.`,
    );
  return parseManifest(text, join(directory, MANIFEST));
}

/** `place` is where the text was. Throws LauncherError for a text that is no manifest. */
export function parseManifest(text: string, place: string): BackupManifest {
  const parsed = manifestSchema.safeParse(parse(text));
  if (parsed.success) return parsed.data;
  throw new LauncherError(`${place} is damaged, or an unknown release created it.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
