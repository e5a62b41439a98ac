import type { InventoryTags } from '../../cloud-provider.js';
import type { Page } from '../../driver/driver-kind.js';
import { ifThere, type GcpApi } from '../gcp-api.js';
import { filterOfAll, ownedOf } from '../gcp-kind.js';
import { baseName, descriptionOf, gcpName, labelsOf, pathOf, scopeOf } from '../gcp-names.js';
import type { GcpDisk, GcpInstance } from '../gcp-shapes.js';
import type { GcpWork } from '../gcp-work.js';

const KIND = 'node';
/** The part with the path of the data disk. */
export const DISK = 'disk';
const SIZE = 'disk size';
const [ATTACH, GROW] = ['attachment of the disk', 'growth of the disk'];
/** The name of the data disk on its instance. */
export const DATA_DEVICE = 'landlord-data';
/** The stage of the inventory. */
export const DISKS = 'disks';

/** The path of a disk on its instance, by its name there. */
export const diskLink = (deviceName: string): string => `/dev/disk/by-id/google-${deviceName}`;

/** The newer families of machines take no persistent disks. */
export const diskTypeOf = (machineType: string): string =>
  /^(c4|c4a|c4d|n4|n4a|n4d)-/.test(machineType) ? 'hyperdisk-balanced' : 'pd-balanced';

const diskName = (installation: string, name: string): string => gcpName(installation, KIND, name, DISK);

/** Whether the instance has the disk. */
export const hasDisk = ({ disks = [] }: Pick<GcpInstance, 'disks'>, path: string): boolean =>
  disks.some(({ source = '' }) => pathOf(source) === path);

/** The data disks of nodes. Each is made with its instance, grows in place, and is deleted after its instance. */
export class NodeDisks {
  /** The path of the disk that an instance in the zone gets. */
  pathFor(work: GcpWork, zone: string): string {
    return `${work.api.zonal(zone)}/disks/${diskName(work.tags.installation, work.key.name)}`;
  }

  /** Deletes a disk that an earlier instance has left in the zone, before another instance is made with its name. True: none is left. */
  async makeRoom(work: GcpWork, path: string): Promise<boolean> {
    return (await work.api.find(path)) === null || work.discard(DISK, path);
  }

  /** The disk, as a part of the creation of its instance. */
  order(
    work: GcpWork,
    { path, size_gib, machineType }: { path: string; size_gib: number; machineType: string },
  ): object {
    const named = { kind: KIND, name: work.key.name, part: DISK, tags: work.tags } as const;
    const initializeParams = {
      ...{ diskName: baseName(path), diskSizeGb: String(size_gib), description: descriptionOf(named) },
      ...{ diskType: `${scopeOf(path)}/diskTypes/${diskTypeOf(machineType)}`, labels: labelsOf(named) },
    };
    return { deviceName: DATA_DEVICE, autoDelete: false, initializeParams };
  }

  /** Whether no attachment runs. Asked before a look at the instance. */
  settled(work: GcpWork): Promise<boolean> {
    return work.settled(ATTACH);
  }

  /** Attaches the disk to its running instance, also again after somebody has detached it. */
  async attach(work: GcpWork, { disks = [] }: GcpInstance): Promise<void> {
    const [path, instance] = [work.id(DISK), work.id(KIND)];
    if (path === null || instance === null || hasDisk({ disks }, path)) return;
    const body = { source: path, deviceName: DATA_DEVICE, autoDelete: false };
    const attachment = work.change(ATTACH, instance, (requestId) =>
      work.api.post(`${instance}/attachDisk`, { query: { requestId }, body }),
    );
    // Somebody has deleted the disk: the node has failed, and gets another instance.
    await ifThere(attachment);
  }

  /** Deletes the disk of the node, wherever it is. True: none is left. */
  async removeAll(work: GcpWork, installation: string): Promise<boolean> {
    let isGone = true;
    for (const path of await this.paths(work, installation)) isGone = (await work.discard(DISK, path)) && isGone;
    if (!isGone) return false;
    if (work.id(SIZE) !== null) await work.drop(SIZE);
    // Otherwise the end of this deletion would count as the end of a later disk.
    return work.forgetPart(DISK);
  }

  /** A page of the disks, each as its node without an instance. */
  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { items, next } = await api.listInZones<GcpDisk>('disks', filterOfAll(tags), cursor);
    // A disk with an instance belongs to the node of the instance.
    const alone = ownedOf(KIND, tags, items, DISK).filter(({ one }) => !one.users?.length);
    const parts = alone.map(({ owner, one }) => {
      const zone = baseName(one.zone ?? '');
      const attributes = { private_ip: '', public_ip: null, zone, image_id: '' };
      return { ...owner, id: `${api.zonal(zone)}/disks/${one.name}`, state: 'pending' as const, attributes };
    });
    return { observed: [], parts, next: next === null ? null : `${DISKS} ${next}` };
  }

  /** Also in zones that had no room for the instance. */
  private async paths(work: GcpWork, installation: string): Promise<string[]> {
    const { api, key } = work;
    const known = work.id(DISK);
    const { items } = await api.listInZones<GcpDisk>('disks', `(name = "${diskName(installation, key.name)}")`);
    const paths = items.map(({ name, zone = '' }) => `${api.zonal(baseName(zone))}/disks/${name}`);
    return [...new Set([...(known === null ? [] : [known]), ...paths])];
  }

  /** Gives the disk its size. A disk never becomes smaller. True: it has the size. */
  async grow(work: GcpWork, size: number): Promise<boolean> {
    const [path, known] = [work.id(DISK), work.id(SIZE)];
    if (path === null || (known !== null && Number(known) >= size)) return true;
    if (!(await work.settled(GROW))) return false;
    const disk = await work.api.find<GcpDisk>(path);
    if (disk && Number(disk.sizeGb) < size) {
      const body = { sizeGb: String(size) };
      const send = (requestId: string) => work.api.post(`${path}/resize`, { query: { requestId }, body });
      if (!(await work.change(GROW, path, send))) return false;
    }
    await work.note(SIZE, String(size));
    return true;
  }
}
