import { basename, dirname, resolve } from 'node:path';

/** Folder of the machine agent's programs in the machine's directory. The script of the join makes the first one. */
export const OWN_PROGRAMS = 'machine';
/** Link to the folder of the current program. The service manager starts the machine agent through it. */
export const CURRENT_PROGRAM = 'agent';

const FOLDER = /^(?:agent-)?([0-9a-f]{64})$/;

/**
 * The sha256 of the artifact that the entry file is from. Null when the entry is not below the machine's own programs: then something else
 * installs the machine agent, for example `landlord start`.
 */
export function ownProgram(dir: string, entry: string): string | null {
  const folder = dirname(resolve(entry));
  if (dirname(folder) !== resolve(dir, OWN_PROGRAMS)) return null;
  return FOLDER.exec(basename(folder))?.[1] ?? null;
}
