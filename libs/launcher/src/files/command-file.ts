import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shellWord } from '@libs/domain';
import { readFileIfAnySync } from '@libs/host/os';

/** `<data dir>/bin/landlord`: the command line of the installation, for every working directory. */
export const commandPath = (dataDir: string): string => join(dataDir, 'bin', 'landlord');

/** The file that Node runs in this process. */
export const ownProgram = (): string => realpathSync(process.argv[1] ?? '');

/** Writes the file. After an upgrade it starts the new release. Returns its path. */
export function ensureCommandFile(dataDir: string): string {
  const path = commandPath(dataDir);
  mkdirSync(dirname(path), { recursive: true });
  const content = [
    '#!/bin/sh',
    '# Written by each start of another release, or from another place.',
    `[ -n "\${LANDLORD_DATA_DIR:-}" ] || LANDLORD_DATA_DIR=${shellWord(dataDir)}`,
    'export LANDLORD_DATA_DIR',
    `exec ${shellWord(process.execPath)} ${shellWord(ownProgram())} "$@"`,
    '',
  ].join('\n');
  // A start on a full disk has nothing to write here.
  if (readFileIfAnySync(path) === content.trim()) return path;
  writeFileSync(path, content);
  // The mode of a file that exists does not change by writing.
  chmodSync(path, 0o755);
  return path;
}
