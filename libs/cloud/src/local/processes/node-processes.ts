import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { NodeId } from '@libs/domain';
import { CloudError } from '../../cloud-error.js';
import { until } from '../until.js';

/** Time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 1_500;
const DEADLINE_MS = 10_000;
const LOOK_INTERVAL_MS = 25;

/** The flag in the argv of every process of a node: its agent, and all processes that the agent starts. */
export function nodeFlag(installation: string, nodeId: NodeId): string {
  return `--landlord-node=${installation}/${nodeId}`;
}

/**
 * Ends every process with all these flags: SIGTERM, then SIGKILL, until two scans in a row find none. One scan is not enough, because
 * an agent may start a broker during the scan and die only after that. Throws CloudError when processes remain.
 */
export async function endNodeProcesses(flags: readonly string[], signal?: AbortSignal): Promise<void> {
  const killAfter = Date.now() + GRACE_MS;
  let looksInVain = 0;
  const isEnded = async (): Promise<boolean> => {
    const pids = await pidsOf(...flags);
    looksInVain = pids.length === 0 ? looksInVain + 1 : 0;
    for (const pid of pids) send(pid, Date.now() < killAfter ? 'SIGTERM' : 'SIGKILL');
    return looksInVain >= 2;
  };
  if (await until(isEnded, { deadlineMs: DEADLINE_MS, intervalMs: LOOK_INTERVAL_MS, signal })) return;
  throw new CloudError({ code: 'unavailable' }, `processes of the node cannot be ended: ${flags.join(' ')}`);
}

/**
 * Pids of this user's processes with each flag as a whole argument, or as the part of an argument before a slash: a server that the
 * agent starts for a check has such a name. A zombie has no argv and counts as ended. Processes of other
 * users with such an argv do not belong to the node and cannot be ended.
 */
export async function pidsOf(...flags: string[]): Promise<number[]> {
  const pids = process.platform === 'linux' ? await scanProc(flags) : await scanPs(flags);
  return pids.filter((pid) => pid !== process.pid);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process ended after the scan.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new CloudError({ code: 'denied', actions: ['kill'] }, `process ${pid} may not be ended by this user`, {
      cause: error,
    });
  }
}

async function scanProc(flags: string[]): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const areOurs = await Promise.all(pids.map((pid) => isOurs(pid, flags)));
  return pids.filter((_pid, index) => areOurs[index]).map(Number);
}

async function isOurs(pid: string, flags: string[]): Promise<boolean> {
  const argv = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  if (!flags.every((flag) => argv.some((arg) => arg === flag || arg.startsWith(`${flag}/`)))) return false;
  const owner = await stat(`/proc/${pid}`).catch(() => null);
  return owner?.uid === process.getuid?.();
}

async function scanPs(flags: string[]): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-x', '-o', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024 });
  const lines = stdout.split('\n').map((line) => `${line.trim()} `);
  return lines
    .filter((line) => flags.every((flag) => line.includes(` ${flag} `) || line.includes(` ${flag}/`)))
    .map((line) => Number.parseInt(line, 10));
}
