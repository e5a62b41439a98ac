import type { InventoryTags } from '../../cloud-provider.js';
import type { Page } from '../../driver/driver-kind.js';
import type { GcpApi } from '../gcp-api.js';
import { filterOfAll, ownedOf } from '../gcp-kind.js';
import { baseName, gcpName, zoneName } from '../gcp-names.js';
import type { GcpDisk, GcpInstance } from '../gcp-shapes.js';
import type { GcpWork } from '../gcp-work.js';

const KIND = 'node';
/** The part with the path of the data disk. */
export const DISK = 'disk';
/** The part with the zone of the data disk and the instance. */
export const ZONE = 'zone';
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

/** The data disk of a node. */
export interface WantedDisk {
  /** The whole name of the zone. */
  zone: string;
  size_gib: number;
  machineType: string;
}

const diskName = (installation: string, name: string): string => gcpName(installation, KIND, name, DISK);

/** The data disks of nodes. Each is made before its instance, grows in place, and is deleted after its instance. */
export class NodeDisks {
  /** Creates the disk in the zone. A disk of another zone, which never had an instance, is deleted first. True: the disk exists. */
  async bring(work: GcpWork, { zone, size_gib, machineType }: WantedDisk): Promise<boolean> {
    const { api } = work;
    const path = `${api.zonal(zone)}/disks/${diskName(work.tags.installation, work.key.name)}`;
    const known = work.id(DISK);
    if (known !== null && known !== path && !(await work.discard(DISK, known))) return false;
    if (work.id(ZONE) !== zone) await work.note(ZONE, zone);
    const type = `${api.zonal(zone)}/diskTypes/${diskTypeOf(machineType)}`;
    const isMade = work.id(DISK) !== null;
    const asked = { what: diskTypeOf(machineType), zone };
    if (
      !(await work.bring({
        part: DISK,
        path,
        body: () => ({ sizeGb: String(size_gib), type }),
        hasLabels: true,
        asked,
      }))
    )
      return false;
    return isMade ? this.grow(work, path, size_gib) : true;
  }

  /** Attaches the disk to its running instance, also again after somebody has detached it. */
  async attach(work: GcpWork, { disks = [] }: GcpInstance): Promise<void> {
    const [path, instance] = [work.id(DISK), work.id(KIND)];
    const isThere = disks.some(({ deviceName }) => deviceName === DATA_DEVICE);
    if (path === null || instance === null || isThere || !(await work.settled(ATTACH))) return;
    const body = { source: path, deviceName: DATA_DEVICE, autoDelete: false };
    await work.change(ATTACH, instance, (requestId) =>
      work.api.post(`${instance}/attachDisk`, { query: { requestId }, body }),
    );
  }

  /** Deletes the disk of the node, wherever it is. True: none is left. */
  async removeAll(work: GcpWork, installation: string): Promise<boolean> {
    let isGone = true;
    for (const path of await this.paths(work, installation)) isGone = (await work.discard(DISK, path)) && isGone;
    if (isGone && work.id(SIZE) !== null) await work.drop(SIZE);
    return isGone;
  }

  /** A page of the disks, each as its node without an instance. */
  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { items, next } = await api.listInZones<GcpDisk>('disks', filterOfAll(tags), cursor);
    const parts = ownedOf(KIND, tags, items, DISK).map(({ owner, one }) => {
      const zone = baseName(one.zone ?? '');
      const attributes = { private_ip: '', public_ip: null, zone, image_id: '' };
      return { ...owner, id: `${api.zonal(zone)}/disks/${one.name}`, state: 'pending' as const, attributes };
    });
    return { shown: [], parts, next: next === null ? null : `${DISKS} ${next}` };
  }

  private async paths(work: GcpWork, installation: string): Promise<string[]> {
    const known = work.id(DISK);
    if (known !== null) return [known];
    const { api } = work;
    const filter = `(name = "${diskName(installation, work.key.name)}")`;
    const { items } = await api.listInZones<GcpDisk>('disks', filter);
    return items.map(({ name, zone = '' }) => `${api.zonal(zoneName(api.at.region, baseName(zone)))}/disks/${name}`);
  }

  /** A disk never becomes smaller. */
  private async grow(work: GcpWork, path: string, size: number): Promise<boolean> {
    const known = work.id(SIZE);
    if (known !== null && Number(known) >= size) return true;
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
