import type { InventoryTags } from '../../cloud-provider.js';
import type { Owner, Page, Observed } from '../../driver/driver-kind.js';
import type { Remembered } from '../../driver/driver-memory.js';
import { shortName } from '../../driver/short-name.js';
import type { ResourceAttributes } from '../../resource-attributes.js';
import type { RestoredVolumeSpec } from '../../resource-specs.js';
import type { GcpApi } from '../gcp-api.js';
import { filterOfAll, ownedOf, resourcesOf, observedByName, observedState, type GcpKind } from '../gcp-kind.js';
import { baseName, gcpName, pathOf, scopeOf, zoneName } from '../gcp-names.js';
import type { GcpDisk } from '../gcp-shapes.js';
import { diskLink, diskTypeOf } from '../nodes/node-disks.js';
import { WANTED_TYPE } from '../nodes/node-instances.js';
import type { GcpWork } from '../gcp-work.js';

const KIND = 'restored_volume';
const [ATTACH, DETACH] = ['attachment', 'detachment'];

/** Disks that are made of snapshots, each at the instance of a node for as long as the node copies the data. */
export class GcpRestoredVolumes implements GcpKind<typeof KIND> {
  readonly pollAfterMs = 2_000;
  readonly forgetsEnded = true;

  async build(work: GcpWork, { snapshot, node }: RestoredVolumeSpec): Promise<void> {
    const { api } = work;
    const sourceSnapshot = await work.pathOfOther('snapshot', snapshot, 'snapshot');
    const instance = await work.pathOfOther('node', node, 'node');
    const zone = baseName(scopeOf(instance));
    const type = `${api.zonal(zone)}/diskTypes/${diskTypeOf(await work.pathOfOther('node', node, WANTED_TYPE))}`;
    const path = `${api.zonal(zone)}/disks/${gcpName(work.tags.installation, KIND, work.key.name)}`;
    if (!(await work.bring({ part: KIND, path, body: () => ({ sourceSnapshot, type }), hasLabels: true }))) return;
    // Before the look at the disk, so that the look shows how the attachment has ended.
    if (!(await work.settled(ATTACH))) return;
    const disk = await api.find<GcpDisk>(path);
    if (disk?.status !== 'READY' || disk.users?.length) return;
    const body = { source: path, deviceName: deviceOf(work.key.name), mode: 'READ_WRITE', autoDelete: false };
    await work.change(ATTACH, instance, (requestId) =>
      api.post(`${instance}/attachDisk`, { query: { requestId }, body }),
    );
  }

  async look(api: GcpApi, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<typeof KIND>>> {
    const resources = await resourcesOf<GcpDisk>(api, memories, KIND);
    return observedByName(resources, ({ owner, path, resource: disk, memory }) =>
      observedVolume(owner, path, disk, memory),
    );
  }

  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const { api } = work;
    const isIdle = await work.settled(DETACH);
    const disk = await this.find(work, installation);
    await work.startDeletion();
    if (!isIdle) return false;
    if (disk === null) return work.id(KIND) === null || work.discard(KIND, work.id(KIND) ?? '');
    for (const user of disk.users ?? []) {
      const query = { deviceName: deviceOf(work.key.name) };
      const instance = pathOf(user);
      const isDone = await work.change(DETACH, instance, (requestId) =>
        api.post(`${instance}/detachDisk`, { query: { ...query, requestId } }),
      );
      if (!isDone) return false;
    }
    return work.discard(KIND, pathOfDisk(api, disk));
  }

  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { items, next } = await api.listInZones<GcpDisk>('disks', filterOfAll(tags), cursor);
    const observed = ownedOf(KIND, tags, items).flatMap(
      ({ owner, one }) => observedVolume(owner, pathOfDisk(api, one), one, undefined) ?? [],
    );
    return { observed, next };
  }

  notVisibleYet(): ResourceAttributes[typeof KIND] {
    return { volume_id: '', device: '' };
  }

  /** A disk whose creation was begun can be in any zone. */
  private async find(work: GcpWork, installation: string): Promise<GcpDisk | null> {
    const known = work.id(KIND);
    if (known !== null) return work.api.find<GcpDisk>(known);
    const name = gcpName(installation, KIND, work.key.name);
    const { items } = await work.api.listInZones<GcpDisk>('disks', `(name = "${name}")`);
    return items[0] ?? null;
  }
}

const pathOfDisk = (api: GcpApi, { name, zone = '' }: GcpDisk): string =>
  `${api.zonal(zoneName(api.at.region, baseName(zone)))}/disks/${name}`;

/** The name of the disk on the instance. It never begins like the one of the data disk. */
const deviceOf = (name: string): string => `landlord-restored-${shortName(name).slice(-12)}`;

function observedVolume(
  owner: Owner,
  path: string,
  disk: GcpDisk | null,
  memory: Remembered | undefined,
): Observed<typeof KIND> | null {
  const isFailed = disk?.status === 'FAILED';
  const isAttached = disk?.status === 'READY' && Boolean(disk.users?.length);
  const state = observedState({ resource: disk, memory }, isFailed ? 'failed' : isAttached ? 'active' : 'pending');
  const reason = isFailed ? `Google could not make the disk ${baseName(path)}` : undefined;
  return (
    state && {
      ...{ ...owner, id: path, state, ...(reason !== undefined && { reason }) },
      attributes: { volume_id: baseName(path), device: diskLink(deviceOf(owner.name)) },
    }
  );
}
