import { spawnSync } from 'node:child_process';
import { LauncherError } from '../launcher-error.js';
import { copyBinaries, type PostgresBinaries } from './binaries.js';

/** PostgreSQL refuses to run as root. These are the alternatives. Each one needs less of the machine than the one before. */
export type RunAsName = 'self' | 'user_namespace' | 'nobody_with_access' | 'nobody';

/** How to start the programs of PostgreSQL, and the required owner of the data. */
export interface RunAs {
  name: RunAsName;
  /** The user and group that must own the data, as the launcher sees them. Null when nothing must change. */
  owner: { uid: number; gid: number } | null;
  binaries: PostgresBinaries;
  /** The command that starts `program`. Its process becomes the program (same pid). */
  command(program: string, args: string[]): { file: string; args: string[]; uid?: number; gid?: number };
}

export interface RunAsRequest {
  binaries: PostgresBinaries;
  /** The existing Landlord data directory. The database's user must be able to enter it. */
  dataDir: string;
  /** Target for a copy of the binaries when the user cannot reach them. */
  copyTo?: string;
  /** Only these ways, in this order. */
  among?: RunAsName[];
}

/** Programs need no other environment variables. unshare and setpriv need PATH. */
export const POSTGRES_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

const NOBODY = 65_534;
const ROOT_WAYS: RunAsName[] = ['user_namespace', 'nobody_with_access', 'nobody'];

/**
 * Picks the first way that works here: it can run the binaries and enter the data directory. Throws LauncherError when none
 * works.
 */
export function chooseRunAs(request: RunAsRequest): RunAs {
  if (process.getuid?.() !== 0) return runAs('self', request.binaries);
  for (const name of request.among ?? ROOT_WAYS) {
    const way = firstReachable(name, request);
    if (way && canEnter(way, request.dataDir)) return way;
  }
  throw new LauncherError(
    `PostgreSQL cannot run as root, and the user nobody cannot open ${request.dataDir}. Start Landlord as another ` +
      'user, or set LANDLORD_DATA_DIR to a directory that the user nobody can open (mode 0711), or set DATABASE_URL.',
  );
}

function firstReachable(name: RunAsName, request: RunAsRequest): RunAs | null {
  const inPlace = runAs(name, request.binaries);
  if (canRun(inPlace)) return inPlace;
  if (name !== 'nobody') return null;
  const copied = runAs(name, copyBinaries(request.binaries, request.copyTo ?? '/var/lib/landlord'));
  return canRun(copied) ? copied : null;
}

function runAs(name: RunAsName, binaries: PostgresBinaries): RunAs {
  const owner = OWNERS[name];
  return { name, owner, binaries, command: COMMANDS[name] };
}

const OWNERS: Record<RunAsName, RunAs['owner']> = {
  self: null,
  user_namespace: { uid: 0, gid: 0 },
  nobody_with_access: { uid: NOBODY, gid: NOBODY },
  nobody: { uid: NOBODY, gid: NOBODY },
};

const COMMANDS: Record<RunAsName, RunAs['command']> = {
  self: (file, args) => ({ file, args }),
  // Root outside the namespace, nobody without capabilities inside. PostgreSQL accepts that, the files stay owned by root, and
  // a home with mode 0700 works. Unavailable in most containers.
  user_namespace: (program, args) => ({
    file: 'unshare',
    args: ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--', program, ...args],
  }),
  // The user nobody with the capability to enter closed directories. Works in a default container, and with sudo in a home. The
  // secure bit makes access(2) consider the capability too, because initdb uses access(2) for its own programs.
  nobody_with_access: (program, args) => ({
    file: 'setpriv',
    args: [
      ...[`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--securebits=+no_setuid_fixup'],
      ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--', program, ...args],
    ],
  }),
  nobody: (file, args) => ({ file, args, uid: NOBODY, gid: NOBODY }),
};

/** `--show` uses everything that initdb needs, refuses root, and touches no data. */
function canRun(way: RunAs): boolean {
  return succeeds(way, way.binaries.initdb, ['--show', '--pgdata=/nonexistent']);
}

function canEnter(way: RunAs, directory: string): boolean {
  return succeeds(way, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory]);
}

function succeeds(way: RunAs, program: string, args: string[]): boolean {
  const { file, args: all, ...ids } = way.command(program, args);
  return spawnSync(file, all, { ...ids, cwd: '/', env: POSTGRES_ENVIRONMENT, stdio: 'ignore' }).status === 0;
}
