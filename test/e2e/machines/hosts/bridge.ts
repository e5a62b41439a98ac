import { spawnSync } from 'node:child_process';

const NUMBERS = 250;

/** A network of hosts: this host has its first address. Each other host has a network namespace of its own. */
export class Bridge {
  private hosts = 0;

  private constructor(
    readonly name: string,
    private readonly subnet: string,
  ) {}

  /** Needs root. */
  static open(): Bridge {
    const bridge = Bridge.create(process.pid % NUMBERS, NUMBERS);
    ip('address', 'add', `${bridge.address}/24`, 'dev', bridge.name);
    ip('link', 'set', bridge.name, 'up');
    return bridge;
  }

  /** Takes the first free number: test processes run at the same time, and a killed one leaves its bridge. */
  private static create(number: number, attempts: number): Bridge {
    const bridge = new Bridge(`ldb${number}`, `10.213.${number}`);
    try {
      ip('link', 'add', 'name', bridge.name, 'type', 'bridge');
      return bridge;
    } catch (error) {
      if (attempts === 0 || !String(error).includes('File exists')) throw error;
      return Bridge.create((number + 1) % NUMBERS, attempts - 1);
    }
  }

  get address(): string {
    return `${this.subnet}.1`;
  }

  /** The network of another host, with one address of the bridge. */
  connect(): HostNetwork {
    this.hosts += 1;
    return HostNetwork.open(this, `${this.name}h${this.hosts}`, `${this.subnet}.${10 + this.hosts}/24`);
  }

  /** The network of another host, with an address outside of the bridge's range. It reaches the others in 10.0.0.0/8. */
  connectAt(address: string): HostNetwork {
    this.hosts += 1;
    const network = HostNetwork.open(this, `${this.name}h${this.hosts}`, `${address}/32`);
    network.reach('10.0.0.0/8');
    ip('route', 'replace', `${address}/32`, 'dev', this.name);
    return network;
  }

  close(): void {
    ip('link', 'delete', this.name);
  }
}

/** The network namespace of a host, with a cable to the bridge. */
export class HostNetwork {
  private constructor(
    private readonly namespace: string,
    readonly address: string,
  ) {}

  /** `address`: with the length of its network. */
  static open(bridge: Bridge, name: string, address: string): HostNetwork {
    ip('netns', 'add', name);
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', name, 'master', bridge.name, 'up');
    ip('-n', name, 'address', 'add', address, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
    return new HostNetwork(name, address.replace(/\/.*/, ''));
  }

  get path(): string {
    return `/run/netns/${this.namespace}`;
  }

  /** Other hosts with such addresses are on the same bridge. */
  reach(range: string): void {
    ip('-n', this.namespace, 'route', 'replace', range, 'dev', 'eth0');
  }

  /** The host hears and reaches nobody, as after a cut of its cable. */
  cut(): void {
    ip('link', 'set', this.namespace, 'down');
  }

  restore(): void {
    ip('link', 'set', this.namespace, 'up');
  }

  close(): void {
    ip('link', 'delete', this.namespace);
    ip('netns', 'delete', this.namespace);
  }
}

function ip(...args: string[]): void {
  const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new TypeError(`ip ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}
