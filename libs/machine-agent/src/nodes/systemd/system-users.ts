import { readdir, readFile } from 'node:fs/promises';
import { until } from '@libs/cloud/local-nodes';
import { NodeFailed } from '../node-failed.js';
import { runProgram } from './systemctl.js';

const PASSWD = '/etc/passwd';
/** Time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 1_500;
const DEADLINE_MS = 10_000;

export interface SystemUser {
  uid: number;
  gid: number;
}

/** The system users of the nodes. Programs that change them lock /etc/passwd, so one runs at a time. */
export class SystemUsers {
  private last: Promise<unknown> = Promise.resolve();

  async find(name: string): Promise<SystemUser | null> {
    const line = (await readFile(PASSWD, 'utf8')).split('\n').find((entry) => entry.startsWith(`${name}:`));
    if (line === undefined) return null;
    const [, , uid, gid] = line.split(':');
    return { uid: Number(uid), gid: Number(gid) };
  }

  ensure(name: string, home: string): Promise<SystemUser> {
    return this.alone(async () => {
      const found = await this.find(name);
      if (found !== null) return found;
      const options = ['--system', '--user-group', '--no-log-init', '--no-create-home', '--shell', '/usr/sbin/nologin'];
      await runProgram('useradd', ...options, '--home-dir', home, name);
      const created = await this.find(name);
      if (created === null) throw new NodeFailed(`The system user ${name} cannot be created.`);
      return created;
    });
  }

  remove(name: string): Promise<void> {
    return this.alone(async () => {
      if ((await this.find(name)) !== null) await runProgram('userdel', name);
    });
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(work, work);
    this.last = mine.catch(() => undefined);
    return mine;
  }
}

/** Whether a process of the user exists. */
export async function hasProcesses(uid: number): Promise<boolean> {
  return (await pidsOf(uid)).length > 0;
}

/**
 * Ends every process of the user: SIGTERM, then SIGKILL, until two scans in a row find none, because a process may start another one
 * during a scan. Throws NodeFailed when processes remain.
 */
export async function endProcesses(uid: number, signal: AbortSignal): Promise<void> {
  const killAfter = Date.now() + GRACE_MS;
  let emptyScans = 0;
  const isEnded = async (): Promise<boolean> => {
    const pids = await pidsOf(uid);
    emptyScans = pids.length === 0 ? emptyScans + 1 : 0;
    for (const pid of pids) send(pid, Date.now() < killAfter ? 'SIGTERM' : 'SIGKILL');
    return emptyScans >= 2;
  };
  if (await until(isEnded, { deadlineMs: DEADLINE_MS, intervalMs: 25, signal })) return;
  throw new NodeFailed('Processes of the node cannot be ended.');
}

/** Reads the real user of each process: a process can make root the owner of its entry in /proc. A zombie has ended. */
async function pidsOf(uid: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    const real = /^Uid:\t(\d+)/m.exec(status)?.[1];
    if (Number(real) === uid && !/^State:\tZ/m.test(status)) found.push(Number(name));
  }
  return found;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process ended after the scan.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
