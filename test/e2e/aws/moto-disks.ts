import { spawnSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EC2, Volume } from '@aws-sdk/client-ec2';
import type { ContainerHost } from '../../../libs/machine-agent/test/container.fixture.js';
import { LANDLORDS } from './moto-inventory.js';

const GIB = 1024 ** 3;
/** Where Landlord attaches volumes. The root disk of a host is its own. */
const DEVICES = ['/dev/sdf', '/dev/sdg'];

interface LoopFile {
  path: string;
  device: string;
}

/** The volumes of Moto as files of this machine, which hosts have as disks. A snapshot is a copy of the file. */
export class MotoDisks {
  private readonly volumes = new Map<string, LoopFile>();
  /** The files of the snapshots. */
  private readonly snapshots = new Map<string, string>();
  /** The volumes that each host has as disks. */
  private readonly attached = new Map<ContainerHost, Map<string, string>>();

  constructor(
    private readonly ec2: EC2,
    private readonly directory: string,
  ) {}

  /** Gives the host the disks of its volumes, under the names that Linux gives them on an instance, and takes away the others. */
  async attach(instanceId: string, system: ContainerHost): Promise<void> {
    const Filters = [{ Name: 'attachment.instance-id', Values: [instanceId] }];
    const { Volumes = [] } = await this.ec2.describeVolumes({ Filters });
    const own = Volumes.filter(({ Attachments = [] }) => DEVICES.includes(Attachments[0]?.Device ?? ''));
    const had = this.attached.get(system) ?? new Map<string, string>();
    const has = new Map<string, string>();
    for (const volume of own) {
      const { VolumeId = '' } = volume;
      const { device } = await this.disk(volume);
      const number = device.replace('/dev/loop', '');
      const link = linkOf(VolumeId);
      const script = `[ -e ${link} ] || { mkdir -p /dev/disk/by-id; [ -b ${device} ] || mknod ${device} b 7 ${number}; ln -s ${device} ${link}; }`;
      system.run('sh', '-c', script);
      has.set(VolumeId, device);
    }
    for (const [volumeId, device] of had) if (!has.has(volumeId)) system.run('rm', '-f', linkOf(volumeId), device);
    this.attached.set(system, has);
  }

  /** Copies the file of the volume of each snapshot that has no copy yet. */
  async copySnapshots(): Promise<void> {
    const { Snapshots = [] } = await this.ec2.describeSnapshots(LANDLORDS);
    for (const { SnapshotId = '', VolumeId = '' } of Snapshots) {
      const volume = this.volumes.get(VolumeId);
      if (!volume || this.snapshots.has(SnapshotId)) continue;
      const path = join(this.directory, SnapshotId);
      run('cp', '--sparse=always', volume.path, path);
      this.snapshots.set(SnapshotId, path);
    }
  }

  /** Deletes the files of what Moto no longer has. */
  async dropDeleted(): Promise<void> {
    if (this.volumes.size === 0 && this.snapshots.size === 0) return;
    const { Volumes = [] } = await this.ec2.describeVolumes({});
    const existing = new Set(Volumes.map(({ VolumeId }) => VolumeId));
    for (const id of [...this.volumes.keys()]) if (!existing.has(id)) await this.drop(id);
    const { Snapshots = [] } = await this.ec2.describeSnapshots(LANDLORDS);
    const kept = new Set(Snapshots.map(({ SnapshotId }) => SnapshotId));
    for (const [id, path] of this.snapshots) {
      if (kept.has(id)) continue;
      this.snapshots.delete(id);
      await rm(path, { force: true });
    }
  }

  async dropAll(): Promise<void> {
    for (const id of [...this.volumes.keys()]) await this.drop(id);
  }

  /** The file of the volume. A volume that is made of a snapshot begins with its data. */
  private async disk({ VolumeId = '', Size = 1, SnapshotId = '' }: Volume): Promise<LoopFile> {
    const known = this.volumes.get(VolumeId);
    if (known) return known;
    const path = join(this.directory, VolumeId);
    const source = this.snapshots.get(SnapshotId);
    if (source !== undefined) run('cp', '--sparse=always', source, path);
    const file = await open(path, 'a');
    await file.truncate(Size * GIB);
    await file.close();
    const disk = { path, device: run('losetup', '--find', '--show', path).trim() };
    this.volumes.set(VolumeId, disk);
    return disk;
  }

  private async drop(volumeId: string): Promise<void> {
    const disk = this.volumes.get(volumeId);
    this.volumes.delete(volumeId);
    if (!disk) return;
    run('losetup', '--detach', disk.device);
    await rm(disk.path, { force: true });
  }
}

const linkOf = (volumeId: string): string =>
  `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${volumeId.replace('-', '')}`;

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new TypeError(`${program} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}
