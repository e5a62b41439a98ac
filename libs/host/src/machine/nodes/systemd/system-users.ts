import { readdir, readFile } from 'node:fs/promises';
import { Mutex } from '../../../os/mutex.js';
import { NodeFailed } from '../node-failed.js';
import { runProgram } from './systemctl.js';

const PASSWD = '/etc/passwd';

export interface SystemUser {
  uid: number;
  gid: number;
}

/** The system users of the nodes. Programs that change them lock /etc/passwd, so one runs at a time. */
export class SystemUsers {
  private readonly changes = new Mutex();

  async find(name: string): Promise<SystemUser | null> {
    const line = (await readFile(PASSWD, 'utf8')).split('\n').find((entry) => entry.startsWith(`${name}:`));
    if (line === undefined) return null;
    const [, , uid, gid] = line.split(':');
    return { uid: Number(uid), gid: Number(gid) };
  }

  ensure(name: string, home: string): Promise<SystemUser> {
    return this.changes.run(async () => {
      const user = await this.find(name);
      if (user !== null) return user;
      const options = ['--system', '--user-group', '--no-log-init', '--no-create-home', '--shell', '/usr/sbin/nologin'];
      await runProgram('useradd', ...options, '--home-dir', home, name);
      const created = await this.find(name);
      if (created === null) throw new NodeFailed(`The system user ${name} cannot be created.`);
      return created;
    });
  }

  remove(name: string): Promise<void> {
    return this.changes.run(async () => {
      if ((await this.find(name)) !== null) await runProgram('userdel', name);
    });
  }
}

/** Pids of the user's processes. Reads the real user of each process: a process can make root the owner of its entry in /proc. A zombie has ended. */
export async function pidsOf(uid: number): Promise<number[]> {
  const pids: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    const real = /^Uid:\t(\d+)/m.exec(status)?.[1];
    if (Number(real) === uid && !/^State:\tZ/m.test(status)) pids.push(Number(name));
  }
  return pids;
}
