import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeLog, openLog, listProcesses } from '@libs/host/os';
import { LauncherError } from '../launcher-error.js';

const ENTRY = fileURLToPath(new URL('../../../host/src/machine/machine.main.js', import.meta.url));
const AUTHORITY_FILE = 'ca.pem';

/** The directory of the host of the Supervisor as a machine. */
export const localMachineDirectory = (dataDir: string): string => join(dataDir, 'machine');
/** The file that makes the directory a machine. */
export const machineFileIn = (directory: string): string => join(directory, 'machine.json');
/** The certificate that the machine trusts. */
export const authorityIn = (directory: string): string => join(directory, AUTHORITY_FILE);
export const machineLogIn = (directory: string): string => join(directory, 'agent.log');

/** Pids of the machine agent of this directory. */
export async function findMachineAgents(directory: string): Promise<number[]> {
  const isAgent = (argument: string): boolean => argument.endsWith('machine.main.js');
  const entries = await listProcesses();
  return entries.filter(({ argv }) => argv.some(isAgent) && argv.includes(directory)).map(({ pid }) => pid);
}

/**
 * Starts the machine agent of the directory in a session of its own. The agent refuses to run twice. `ended` is called when it
 * ends. Throws LauncherError when Landlord is not built.
 */
export function startMachineAgent(directory: string, ended: (code: number | null) => void): void {
  if (!existsSync(ENTRY)) throw new LauncherError(`${ENTRY} does not exist. Build Landlord first: npm run build`);
  const log = openLog(machineLogIn(directory));
  const authority = authorityIn(directory);
  const child = spawn(process.execPath, [ENTRY, '--dir', directory], {
    cwd: directory,
    detached: true,
    // Nothing of this process's environment, because it contains secrets.
    env: existsSync(authority) ? { NODE_EXTRA_CA_CERTS: authority } : {},
    stdio: ['ignore', log, log],
  });
  closeLog(log);
  child.once('error', () => ended(null));
  child.once('exit', ended);
  child.unref();
}
