import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { NodeFailed } from '../node-failed.js';

const DEADLINE_MS = 60_000;

/** States of units that were read less than this time ago are used again, because many nodes are looked at together. */
const FRESH_MS = 500;

const SETTLED_US = 1_000_000;

/** Runs a program of the host. Throws NodeFailed with its message. */
export async function runProgram(program: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: DEADLINE_MS, env: ENVIRONMENT });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new NodeFailed(`${program} failed: ${(stderr || message).trim().slice(0, 500)}`);
  }
}

/** The whole environment of these programs. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** The calls of the service manager that nodes need. */
export class Systemctl {
  private read: { at: number; active: Promise<Set<string>> } | null = null;

  async reload(): Promise<void> {
    await runProgram('systemctl', 'daemon-reload');
  }

  async start(unit: string): Promise<void> {
    this.read = null;
    await runProgram('systemctl', 'start', unit);
  }

  /** Starts a unit without waiting until it is active. */
  async begin(unit: string): Promise<void> {
    await runProgram('systemctl', 'start', '--no-block', unit);
  }

  /** Also when the unit does not exist. */
  async stop(unit: string): Promise<void> {
    this.read = null;
    if (await this.isLoaded(unit)) await runProgram('systemctl', 'stop', unit);
  }

  /** `activating`, `active`, `failed` or `inactive`, for example. */
  async stateOf(unit: string): Promise<string> {
    return (await runProgram('systemctl', 'show', '--property=ActiveState', '--value', unit)).trim();
  }

  /** Forgets a failure of a deleted unit. */
  async forget(unit: string): Promise<void> {
    await runProgram('systemctl', 'reset-failed', unit).catch(() => undefined);
  }

  /** Whether the unit's main process has run for a second. One call of systemctl reads all units of `pattern`. */
  async isActive(unit: string, pattern: string): Promise<boolean> {
    if (this.read === null || Date.now() - this.read.at > FRESH_MS)
      this.read = { at: Date.now(), active: activeUnits(pattern) };
    return (await this.read.active).has(unit);
  }

  private async isLoaded(unit: string): Promise<boolean> {
    return (await runProgram('systemctl', 'show', '--property=LoadState', '--value', unit)).trim() === 'loaded';
  }
}

async function activeUnits(pattern: string): Promise<Set<string>> {
  const properties = 'Id,ActiveState,SubState,ActiveEnterTimestampMonotonic';
  const text = await runProgram('systemctl', 'show', `--property=${properties}`, pattern);
  const units = text.split('\n\n').map((block) => new Map(block.split('\n').map(pairOf)));
  return new Set(units.filter(isSettled).map((unit) => unit.get('Id') ?? ''));
}

const pairOf = (line: string): [string, string] => [
  line.slice(0, line.indexOf('=')),
  line.slice(line.indexOf('=') + 1),
];

/** A unit whose process ends at once is active for a moment after each restart. */
function isSettled(unit: ReadonlyMap<string, string>): boolean {
  const runs = unit.get('ActiveState') === 'active' && unit.get('SubState') === 'running';
  const sinceUs = Number(unit.get('ActiveEnterTimestampMonotonic'));
  return runs && Number(process.hrtime.bigint() / 1000n) - sinceUs > SETTLED_US;
}
