import type { InventoryTags, ResourceState } from '../../cloud-provider.js';
import type { Owner, Page, Observed } from '../../driver/driver-kind.js';
import type { Remembered } from '../../driver/driver-memory.js';
import type { ResourceAttributes } from '../../resource-attributes.js';
import type { SnapshotSpec } from '../../resource-specs.js';
import type { GcpApi } from '../gcp-api.js';
import { filterOfAll, ownedPage, resourcesOf, observedByName, observedState, type GcpKind } from '../gcp-kind.js';
import { baseName, gcpName } from '../gcp-names.js';
import type { GcpSnapshot } from '../gcp-shapes.js';
import { DISK } from '../nodes/node-disks.js';
import type { GcpWork } from '../gcp-work.js';

const KIND = 'snapshot';
/** While Google creates the snapshot, its moment is still to come. */
const CREATING = 'CREATING';
const STATES: Record<string, ResourceState> = { CREATING: 'pending', UPLOADING: 'pending', READY: 'active' };

/** Snapshots of the data disks of nodes. */
export class GcpSnapshots implements GcpKind<typeof KIND> {
  readonly pollAfterMs = 2_000;
  readonly forgetsEnded = true;

  async build(work: GcpWork, { node }: SnapshotSpec): Promise<void> {
    const sourceDisk = await work.pathOfOther('node', node, DISK);
    const path = snapshotPath(work.api, work.tags.installation, work.key.name);
    // The data does not leave the region.
    const body = () => ({ sourceDisk, storageLocations: [work.api.at.region] });
    await work.bring({ part: KIND, path, body, hasLabels: true });
  }

  async look(api: GcpApi, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<typeof KIND>>> {
    const resources = await resourcesOf<GcpSnapshot>(api, memories, KIND);
    return observedByName(resources, ({ owner, path, resource: snapshot, memory }) =>
      observedSnapshot(owner, path, snapshot, memory),
    );
  }

  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const path = snapshotPath(work.api, installation, work.key.name);
    await work.api.find(path);
    await work.startDeletion();
    return work.discard(KIND, path);
  }

  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const page = await api.list<GcpSnapshot>(`${api.global}/snapshots`, filterOfAll(tags), cursor);
    return ownedPage(KIND, tags, page, (owner, one) =>
      observedSnapshot(owner, `${api.global}/snapshots/${one.name}`, one, undefined),
    );
  }

  notVisibleYet(): ResourceAttributes[typeof KIND] {
    return { is_taken: false, snapshot_id: '', volume_id: '' };
  }
}

const snapshotPath = (api: GcpApi, installation: string, name: string): string =>
  `${api.global}/snapshots/${gcpName(installation, KIND, name)}`;

function observedSnapshot(
  owner: Owner,
  path: string,
  snapshot: GcpSnapshot | null,
  memory: Remembered | undefined,
): Observed<typeof KIND> | null {
  const { status = CREATING, sourceDisk = '' } = snapshot ?? {};
  const state = observedState({ resource: snapshot, memory }, STATES[status] ?? 'failed');
  const reason = { pending: 'Google copies the data', failed: `the snapshot ${baseName(path)} is ${status}` }[
    String(state)
  ];
  return (
    state && {
      ...{ ...owner, id: path, state, ...(reason !== undefined && { reason }) },
      attributes: { is_taken: status !== CREATING, snapshot_id: baseName(path), volume_id: baseName(sourceDisk) },
    }
  );
}
