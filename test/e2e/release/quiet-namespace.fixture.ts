import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackage, PackageUnavailable } from '../../../scripts/debian-package.mjs';

const SETTINGS = '/etc/netns';
/** A machine of this network that does not exist. It is the router and the name server. */
const AWAY = '192.0.2.1';
const HERE = '192.0.2.2/24';

/** Why this machine cannot have such a namespace. */
export class NamespaceUnavailable extends Error {}

/**
 * A network namespace without a way out. Everything that leaves the loopback is counted and lost: look-ups of names, connections, packets.
 * Without a route, the system would refuse them before they count.
 */
export class QuietNamespace {
  private constructor(
    private readonly name: string,
    private readonly nft: string[],
  ) {}

  /** @throws NamespaceUnavailable */
  static open(): QuietNamespace {
    if (process.getuid?.() !== 0) throw new NamespaceUnavailable('only root can make a network namespace');
    const name = `landlord-quiet-${process.pid}`;
    try {
      const quiet = new QuietNamespace(name, nftProgram());
      mkdirSync(join(SETTINGS, name), { recursive: true });
      writeFileSync(join(SETTINGS, name, 'resolv.conf'), `nameserver ${AWAY}\n`);
      execFileSync('ip', ['netns', 'add', name], { stdio: 'pipe' });
      quiet.connect();
      quiet.count();
      return quiet;
    } catch (error) {
      close(name);
      if (error instanceof PackageUnavailable) throw new NamespaceUnavailable(error.message);
      throw new NamespaceUnavailable(`a network namespace cannot be made: ${String(error)}`);
    }
  }

  /** The words that run a command inside. */
  inside(words: readonly string[]): string[] {
    return ['ip', 'netns', 'exec', this.name, ...words];
  }

  /** Packets that wanted to leave since the namespace exists. */
  get sent(): number {
    const text = this.run(...this.nft, '-j', 'list', 'counter', 'inet', 'quiet', 'sent');
    const { nftables } = JSON.parse(text) as { nftables: { counter?: { packets: number } }[] };
    return nftables.flatMap(({ counter }) => counter?.packets ?? [])[0] ?? Number.NaN;
  }

  close(): void {
    close(this.name);
  }

  private connect(): void {
    const ip = (...words: string[]): string => this.run('ip', ...words);
    ip('link', 'set', 'lo', 'up');
    ip('link', 'add', 'out', 'type', 'veth', 'peer', 'name', 'gone');
    for (const device of ['out', 'gone']) {
      // The system itself announces addresses of IPv6.
      this.run('sh', '-c', `echo 1 >/proc/sys/net/ipv6/conf/${device}/disable_ipv6`);
      ip('link', 'set', device, 'up');
    }
    ip('addr', 'add', HERE, 'dev', 'out');
    ip('route', 'add', 'default', 'via', AWAY, 'dev', 'out');
  }

  private count(): void {
    const rules = [
      'add table inet quiet',
      'add counter inet quiet sent',
      'add chain inet quiet output { type filter hook output priority 0; }',
      'add rule inet quiet output oifname != lo counter name sent',
    ];
    this.run(...this.nft, rules.join('; '));
  }

  private run(...words: string[]): string {
    const [program = '', ...args] = this.inside(words);
    return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
  }
}

/** The command of nftables: of this machine, or of Debian's package in the data directory. */
function nftProgram(): string[] {
  try {
    execFileSync('nft', ['--version'], { stdio: 'pipe' });
    return ['nft'];
  } catch {
    const { folder, libraries } = fetchPackage('nftables');
    return ['env', `LD_LIBRARY_PATH=${libraries.join(':')}`, join(folder, 'usr/sbin/nft')];
  }
}

function close(name: string): void {
  try {
    execFileSync('ip', ['netns', 'del', name], { stdio: 'pipe' });
  } catch {
    // It was never made.
  }
  rmSync(join(SETTINGS, name), { recursive: true, force: true });
}
