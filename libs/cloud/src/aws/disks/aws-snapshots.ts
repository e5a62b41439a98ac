import type { Filter, Snapshot } from '@aws-sdk/client-ec2';
import type { InventoryTags, ResourceState } from '../../cloud-provider.js';
import type { ResourceAttributes } from '../../resource-attributes.js';
import type { SnapshotSpec } from '../../resource-specs.js';
import { isRemoved, type AwsClients } from '../aws-clients.js';
import type { Owner, Page, Observed } from '../../driver/driver-kind.js';
import { ownedPage, type AwsKind } from '../aws-kind.js';
import { idsOf, type Remembered } from '../../driver/driver-memory.js';
import { filtersOf, ownerOf, pageRequest, tagsOf } from '../aws-names.js';
import type { AwsWork } from '../aws-work.js';
import { VOLUME } from '../nodes/node-volumes.js';

const KIND = 'snapshot';
/** Without an owner, AWS also searches the public snapshots of everybody. */
const OWN = { OwnerIds: ['self'] };
const STATES: Record<string, ResourceState> = { pending: 'pending', completed: 'active' };

/** Snapshots of the data volumes of nodes. AWS copies in the background: the data is that of the moment of the creation. */
export class AwsSnapshots implements AwsKind<typeof KIND> {
  readonly pollAfterMs = 5_000;

  /** AWS has no idempotency token for snapshots: the memory and the tags prevent a second one. */
  async build(work: AwsWork, spec: SnapshotSpec): Promise<void> {
    const VolumeId = await work.idOfOther('node', spec.node, VOLUME);
    const { name } = work.key;
    await work.part({
      part: KIND,
      find: async () => (await all(work.clients, filtersOf(work.tags.installation, KIND, name, KIND)))[0] ?? null,
      create: async () => {
        const { SnapshotId = '' } = await work.clients.ec2.createSnapshot({
          ...{ VolumeId, Description: `Backup by Landlord: ${name}` },
          TagSpecifications: [
            { ResourceType: 'snapshot', Tags: tagsOf({ kind: KIND, name, part: KIND, tags: work.tags }) },
          ],
        });
        return SnapshotId;
      },
    });
  }

  async look(
    { ec2 }: AwsClients,
    memories: ReadonlyMap<string, Remembered>,
  ): Promise<Map<string, Observed<typeof KIND>>> {
    const ids = idsOf(memories, KIND);
    if (ids.size === 0) return new Map();
    const Filters = [{ Name: 'snapshot-id', Values: [...ids.keys()] }];
    const { Snapshots = [] } = await ec2.describeSnapshots({ ...OWN, Filters });
    const observed = Snapshots.flatMap((snapshot) => {
      const name = ids.get(snapshot.SnapshotId ?? '') ?? '';
      const tags = memories.get(name)?.tags ?? ownerOf(snapshot.Tags)?.tags;
      return tags ? [[name, observedSnapshot({ name, tags }, snapshot, memories.get(name))] as const] : [];
    });
    return new Map(observed);
  }

  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const tagged = await all(work.clients, filtersOf(installation, KIND, work.key.name, KIND));
    await work.startDeletion();
    let isGone = true;
    for (const SnapshotId of work.leftOf(KIND, tagged))
      isGone = (await isRemoved(work.clients.ec2.deleteSnapshot({ SnapshotId }))) && isGone;
    return isGone;
  }

  async list({ ec2 }: AwsClients, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { Snapshots = [], NextToken } = await ec2.describeSnapshots({ ...OWN, ...pageRequest(KIND, tags, cursor) });
    return ownedPage(Snapshots, NextToken, (owner, one) => observedSnapshot(owner, one, undefined));
  }

  notVisibleYet(): ResourceAttributes[typeof KIND] {
    return { is_taken: false, snapshot_id: '', volume_id: '' };
  }
}

async function all({ ec2 }: AwsClients, Filters: Filter[]): Promise<string[]> {
  const { Snapshots = [] } = await ec2.describeSnapshots({ ...OWN, Filters });
  return Snapshots.map(({ SnapshotId = '' }) => SnapshotId);
}

function observedSnapshot(
  owner: Owner,
  { SnapshotId = '', VolumeId = '', State = 'error', Progress, StateMessage }: Snapshot,
  memory: Remembered | undefined,
): Observed<typeof KIND> {
  const state = memory?.isDeleting ? 'deleting' : (STATES[State] ?? 'failed');
  const reasons: Partial<Record<ResourceState, string>> = {
    pending: `AWS has copied ${Progress || 'a part'} of the snapshot ${SnapshotId}`,
    failed: `the snapshot ${SnapshotId} is ${State}${StateMessage ? `: ${StateMessage}` : ''}`,
  };
  const reason = reasons[state];
  return {
    ...{ ...owner, id: SnapshotId, state, ...(reason !== undefined && { reason }) },
    // AWS copies the data of the moment of its answer.
    attributes: { is_taken: true, snapshot_id: SnapshotId, volume_id: VolumeId },
  };
}
