import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EC2, type Address, type Instance } from '@aws-sdk/client-ec2';
import { ContainerHost } from '../../../libs/machine-agent/test/container.fixture.js';
import { Bridge, type HostNetwork } from '../machines/hosts/bridge.js';
import { MotoDisks } from './moto-disks.js';

const LOOK_MS = 500;
const USER_DATA = '/root/user-data';
const BOOT_UNIT = 'user-data.service';

interface MotoHost {
  system: ContainerHost;
  network: HostNetwork;
  /** The instance is stopped: its root disk and its volumes stay. */
  isOff: boolean;
}

/**
 * Boots a host for each instance that Moto reports as running: a system with systemd, in a network of its own with the addresses of the
 * instance. The host runs the user data of the instance, and its disks are files of this machine.
 */
export class MotoHosts {
  readonly hosts = new Map<string, MotoHost>();
  readonly disks: MotoDisks;
  /** By public address and port. */
  private readonly entrances = new Map<string, Server>();
  private readonly failures: unknown[] = [];
  private stopped = false;
  private paused = false;
  private looking: Promise<void> = Promise.resolve();

  private constructor(
    readonly bridge: Bridge,
    private readonly ec2: EC2,
    private readonly directory: string,
  ) {
    this.disks = new MotoDisks(ec2, directory);
  }

  static async start(bridge: Bridge, ec2: EC2): Promise<MotoHosts> {
    const hosts = new MotoHosts(bridge, ec2, await mkdtemp(join(tmpdir(), 'landlord-volumes-')));
    hosts.looking = hosts.follow();
    return hosts;
  }

  /** What the host of the instance printed when it ran its user data. */
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

  /** Until it is called again, no new host boots: what a user of Moto alone sees. */
  pause(isPaused: boolean): void {
    this.paused = isPaused;
  }

  private async follow(): Promise<void> {
    while (!this.stopped) {
      if (!this.paused) await this.pass().catch((error: unknown) => this.failures.push(error));
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
  }

  private async pass(): Promise<void> {
    const { Reservations = [] } = await this.ec2.describeInstances({});
    const instances = Reservations.flatMap(({ Instances = [] }) => Instances);
    const { Addresses = [] } = await this.ec2.describeAddresses({});
    for (const instance of instances) await this.follows(instance, Addresses);
    await this.disks.dropDeleted();
  }

  private async follows(instance: Instance, addresses: readonly Address[]): Promise<void> {
    const id = instance.InstanceId ?? '';
    const state = instance.State?.Name;
    const known = this.hosts.get(id);
    if (state === 'terminated') return this.end(id);
    if (state === 'stopped' && known && !known.isOff) await this.turnOff(known);
    if (state !== 'running') return;
    if (!known) await this.boot(instance);
    else if (known.isOff) await this.turnOn(id, known);
    await this.attach(id);
    const own = addresses.filter(({ InstanceId }) => InstanceId === id).map(({ PublicIp = '' }) => PublicIp);
    for (const address of own) await this.translate(address, instance);
  }

  private async boot({ InstanceId = '', PrivateIpAddress = '' }: Instance): Promise<void> {
    const network = this.bridge.connectAt(PrivateIpAddress);
    const system = await ContainerHost.boot(network.path);
    this.hosts.set(InstanceId, { system, network, isOff: false });
    const { UserData } = await this.ec2.describeInstanceAttribute({ InstanceId, Attribute: 'userData' });
    await system.put(USER_DATA, Buffer.from(UserData?.Value ?? '', 'base64').toString(), 0o700);
    await this.attach(InstanceId);
    // As cloud-init: a service of the system, not a child of the test.
    system.run('systemd-run', `--unit=${BOOT_UNIT}`, '--collect', 'sh', USER_DATA);
  }

  private async turnOff(host: MotoHost): Promise<void> {
    host.isOff = true;
    await host.system.cutPower();
  }

  private async attach(instanceId: string): Promise<void> {
    const system = this.hosts.get(instanceId)?.system;
    if (system) await this.disks.attach(instanceId, system);
  }

  /** A container has no udev, so systemd does not see the disk and its boot does not end. So the disk is mounted after the boot. */
  private async turnOn(id: string, host: MotoHost): Promise<void> {
    const fstab = await host.system.read('etc/fstab');
    await host.system.put('etc/fstab', '', 0o644);
    await host.system.start();
    await host.system.put('etc/fstab', fstab, 0o644);
    await this.attach(id);
    host.system.run('mount', '-a');
    host.isOff = false;
  }

  /** The public address leads to the instance, at the ports that its security groups open. Moto takes addresses of the loopback. */
  private async translate(address: string, { PrivateIpAddress = '', SecurityGroups = [] }: Instance): Promise<void> {
    const GroupIds = SecurityGroups.map(({ GroupId = '' }) => GroupId);
    const groups = (await this.ec2.describeSecurityGroups({ GroupIds })).SecurityGroups ?? [];
    const rules = groups.flatMap(({ IpPermissions = [] }) => IpPermissions);
    const ports = rules.flatMap(({ IpProtocol, FromPort, IpRanges = [] }) =>
      IpProtocol === 'tcp' && FromPort !== undefined && IpRanges.length > 0 ? [FromPort] : [],
    );
    for (const port of ports) {
      const key = `${address}:${port}`;
      if (this.entrances.has(key)) continue;
      const entrance = createServer((socket) => {
        const inner = connect(port, PrivateIpAddress);
        socket.pipe(inner).pipe(socket);
        for (const end of [socket, inner]) end.on('error', () => void [socket.destroy(), inner.destroy()]);
      });
      this.entrances.set(key, entrance);
      await new Promise<void>((done) => entrance.listen(port, address, done));
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
