import { spawnSync } from 'node:child_process';
import type { RunAsName } from '../src/embedded-postgres/run-as.js';

const PROBES: Partial<Record<RunAsName, string[]>> = {
  user_namespace: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--', 'true'],
  nobody_with_access: [
    ...['setpriv', '--reuid=65534', '--securebits=+no_setuid_fixup', '--inh-caps=+dac_override'],
    ...['--ambient-caps=+dac_override', '--', 'true'],
  ],
};

/** Whether this machine can run PostgreSQL in this way: the user is root, and the kernel or container supports it. */
export function isWayPossible(name: RunAsName): boolean {
  const [file = 'true', ...args] = PROBES[name] ?? [];
  return process.getuid?.() === 0 && spawnSync(file, args, { stdio: 'ignore' }).status === 0;
}
