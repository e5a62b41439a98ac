import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContainerHost } from '../../../libs/host/test/machine/container.fixture.js';
import { Bridge, type HostNetwork } from '../machines/hosts/bridge.js';
import { CloudDisks, type DiskSource, type SeenDisk } from './cloud-disks.js';

const LOOK_MS = 500;
const BOOT_SCRIPT = '/root/boot-script';
const BOOT_UNIT = 'boot-script.service';

/** An instance, as the emulator of the cloud shows it. */
export interface SeenInstance {
  id: string;
  state: 'running' | 'stopped' | 'ended' | 'other';
  private_ip: string;
  /** Addresses of this machine that lead to the instance. */
  public_ips: string[];
  /** TCP ports that its firewall opens. */
  ports: number[];
  /** Its disks besides the root disk. */
  disks: SeenDisk[];
}

/** The emulator of a cloud, asked without the driver. */
export interface InstanceSource extends DiskSource {
  instances(): Promise<SeenInstance[]>;
  /** The script that the instance runs at its first boot. */
  bootScript(id: string): Promise<string>;
}

interface CloudHost {
  system: ContainerHost;
  network: HostNetwork;
  /** The instance is stopped: its root disk and its other disks stay. */
  isOff: boolean;
}

/**
 * Boots a host for each instance that an emulator reports as running: a system with systemd, in a network of its own with the addresses of
 * the instance. The host runs the script of the instance, and its disks are files of this machine.
 */
export class CloudHosts {
  readonly hosts = new Map<string, CloudHost>();
  readonly disks: CloudDisks;
  /** By public address and port. */
  private readonly entrances = new Map<string, Server>();
  /** The private address of the instance that a public address leads to. */
  private readonly leading = new Map<string, string>();
  private readonly failures: unknown[] = [];
  private stopped = false;
  private paused = false;
  private looking: Promise<void> = Promise.resolve();

  private constructor(
    readonly bridge: Bridge,
    private readonly source: InstanceSource,
    private readonly directory: string,
  ) {
    this.disks = new CloudDisks(source, directory);
  }

  static async start(bridge: Bridge, source: InstanceSource): Promise<CloudHosts> {
    const hosts = new CloudHosts(bridge, source, await mkdtemp(join(tmpdir(), 'landlord-volumes-')));
    hosts.looking = hosts.follow();
    return hosts;
  }

  /** What the host of the instance printed when it ran its script. */
  log(instanceId: string): string {
    return this.hosts.get(instanceId)?.system.run('journalctl', '--unit', BOOT_UNIT, '--no-pager').stdout ?? '';
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.looking;
    for (const entrance of this.entrances.values()) entrance.close();
    for (const id of [...this.hosts.keys()]) await this.end(id);
    await this.disks.dropAll();
    await rm(this.directory, { recursive: true, force: true });
    if (this.failures.length > 0) throw this.failures[0];
  }

  /** Until it is called again, no new host boots: what a user of the emulator alone sees. */
  pause(isPaused: boolean): void {
    this.paused = isPaused;
  }

  private async follow(): Promise<void> {
    while (!this.stopped) {
      if (!this.paused) await this.pass().catch((error: unknown) => this.failures.push(error));
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  private async pass(): Promise<void> {
    const instances = await this.source.instances();
    const seen = new Set(instances.map(({ id }) => id));
    // Some emulators stop showing an instance when it has ended.
    for (const id of [...this.hosts.keys()]) if (!seen.has(id)) await this.end(id);
    for (const instance of instances) await this.follows(instance);
    await this.disks.dropDeleted();
  }

  private async follows(instance: SeenInstance): Promise<void> {
    const { id, state } = instance;
    const known = this.hosts.get(id);
    if (state === 'ended') return this.end(id);
    if (state === 'stopped' && known && !known.isOff) await this.turnOff(known);
    if (state !== 'running') return;
    if (!known) await this.boot(instance);
    else if (known.isOff) await this.turnOn(instance, known);
    await this.attach(instance);
    for (const address of instance.public_ips) await this.translate(address, instance);
  }

  private async boot(instance: SeenInstance): Promise<void> {
    const network = this.bridge.connectAt(instance.private_ip);
    const system = await ContainerHost.boot(network.path);
    this.hosts.set(instance.id, { system, network, isOff: false });
    await system.put(BOOT_SCRIPT, await this.source.bootScript(instance.id), 0o700);
    await this.attach(instance);
    // As in a cloud: a service of the system, not a child of the test.
    system.run('systemd-run', `--unit=${BOOT_UNIT}`, '--collect', 'sh', BOOT_SCRIPT);
  }

  private async turnOff(host: CloudHost): Promise<void> {
    host.isOff = true;
    await host.system.cutPower();
  }

  private async attach({ id, disks }: SeenInstance): Promise<void> {
    const system = this.hosts.get(id)?.system;
    if (system) await this.disks.attach(disks, system);
  }

  /** A container has no udev, so systemd does not see the disk and its boot does not end. So the disk is mounted after the boot. */
  private async turnOn(instance: SeenInstance, host: CloudHost): Promise<void> {
    const fstab = await host.system.read('etc/fstab');
    await host.system.put('etc/fstab', '', 0o644);
    await host.system.start();
    await host.system.put('etc/fstab', fstab, 0o644);
    await this.attach(instance);
    host.system.run('mount', '-a');
    host.isOff = false;
  }

  /** The public address leads to the instance, at the ports that its firewall opens. */
  private async translate(address: string, { private_ip, ports }: SeenInstance): Promise<void> {
    // An address can move to another instance.
    this.leading.set(address, private_ip);
    for (const port of ports) {
      const key = `${address}:${port}`;
      if (this.entrances.has(key)) continue;
      const entrance = createServer((socket) => {
        const inner = connect(port, this.leading.get(address));
        socket.pipe(inner).pipe(socket);
        for (const end of [socket, inner]) end.on('error', () => void [socket.destroy(), inner.destroy()]);
      });
      this.entrances.set(key, entrance);
      await new Promise<void>((resolve) => entrance.listen(port, address, resolve));
    }
  }

  /** As an end of the instance: everything on its root disk is lost. */
  private async end(instanceId: string): Promise<void> {
    const host = this.hosts.get(instanceId);
    this.hosts.delete(instanceId);
    await host?.system.destroy();
    host?.network.close();
  }
}
