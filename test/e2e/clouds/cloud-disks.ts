import { spawnSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerHost } from '../../../libs/host/test/machine/container.fixture.js';

const GIB = 1024 ** 3;

/** A disk at an instance. */
export interface SeenDisk {
  id: string;
  /** The path of the disk on its instance, below /dev/disk/by-id. */
  link: string;
  size_gib: number;
  /** The snapshot that the disk is made of. */
  snapshot: string | null;
}

/** The emulator of a cloud, asked without the driver. */
export interface DiskSource {
  /** The ids of all disks, also of those at no instance. */
  diskIds(): Promise<string[]>;
  /** All snapshots of Landlord. */
  snapshots(): Promise<{ id: string; disk: string }[]>;
}

interface LoopFile {
  path: string;
  device: string;
}

/** The disks of an emulator as files of this machine, which hosts have as disks. A snapshot is a copy of the file. */
export class CloudDisks {
  private readonly volumes = new Map<string, LoopFile>();
  /** The files of the snapshots. */
  private readonly copies = new Map<string, string>();
  /** The device of each disk that a host has, by the path of the disk there. */
  private readonly attached = new Map<ContainerHost, Map<string, string>>();

  constructor(
    private readonly source: DiskSource,
    private readonly directory: string,
  ) {}

  /** Gives the host its disks, under the names that Linux gives them on an instance, and takes away the others. */
  async attach(disks: readonly SeenDisk[], system: ContainerHost): Promise<void> {
    const had = this.attached.get(system) ?? new Map<string, string>();
    const has = new Map<string, string>();
    for (const disk of disks) {
      const { device } = await this.disk(disk);
      const number = device.replace('/dev/loop', '');
      const script = `[ -e ${disk.link} ] || { mkdir -p /dev/disk/by-id; [ -b ${device} ] || mknod ${device} b 7 ${number}; ln -s ${device} ${disk.link}; }`;
      system.run('sh', '-c', script);
      has.set(disk.link, device);
    }
    for (const [link, device] of had) if (!has.has(link)) system.run('rm', '-f', link, device);
    this.attached.set(system, has);
  }

  /** Copies the file of the disk of each snapshot that has no copy yet. */
  async copySnapshots(): Promise<void> {
    for (const { id, disk } of await this.source.snapshots()) {
      const volume = this.volumes.get(disk);
      if (!volume || this.copies.has(id)) continue;
      const path = join(this.directory, `snapshot-${this.copies.size}-${id}`);
      run('cp', '--sparse=always', volume.path, path);
      this.copies.set(id, path);
    }
  }

  /**
   * Deletes the files of what the emulator no longer has. The emulator can get a disk or a snapshot while it answers, so only what was
   * known before the question counts as deleted.
   */
  async dropDeleted(): Promise<void> {
    const [volumes, copies] = [[...this.volumes.keys()], [...this.copies]];
    if (volumes.length === 0 && copies.length === 0) return;
    const existing = new Set(await this.source.diskIds());
    for (const id of volumes) if (!existing.has(id)) await this.drop(id);
    const kept = new Set((await this.source.snapshots()).map(({ id }) => id));
    for (const [id, path] of copies) {
      if (kept.has(id)) continue;
      this.copies.delete(id);
      await rm(path, { force: true });
    }
  }

  async dropAll(): Promise<void> {
    for (const id of [...this.volumes.keys()]) await this.drop(id);
  }

  /** The file of the disk. A disk that is made of a snapshot begins with its data. */
  private async disk({ id, size_gib, snapshot }: SeenDisk): Promise<LoopFile> {
    const known = this.volumes.get(id);
    if (known) return known;
    const path = join(this.directory, id);
    const source = this.copies.get(snapshot ?? '');
    if (source !== undefined) run('cp', '--sparse=always', source, path);
    const file = await open(path, 'a');
    await file.truncate(size_gib * GIB);
    await file.close();
    const disk = { path, device: run('losetup', '--find', '--show', path).trim() };
    this.volumes.set(id, disk);
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

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new TypeError(`${program} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}
