import { randomUUID } from 'node:crypto';
import type { Filter, Volume } from '@aws-sdk/client-ec2';
import type { InventoryTags } from '../../cloud-provider.js';
import type { ResourceAttributes } from '../../resource-attributes.js';
import type { RestoredVolumeSpec } from '../../resource-specs.js';
import { isRemoved, unless, type AwsClients } from '../aws-clients.js';
import type { Owner, Page, Observed } from '../../driver/driver-kind.js';
import { ownedPage, type AwsKind } from '../aws-kind.js';
import { idsOf, type Remembered } from '../../driver/driver-memory.js';
import { clientToken, filtersOf, ownerOf, pageRequest, tagsOf } from '../aws-names.js';
import type { AwsWork } from '../aws-work.js';
import { volumeLink } from '../nodes/volume-links.js';
import { ZONE } from '../nodes/node-volumes.js';

const KIND = 'restored_volume';
/** Besides the data volume of the node. */
const DEVICE = '/dev/sdg';
const NONCE = 'nonce';

/** Volumes that are made of snapshots, each at the instance of a node for as long as the node copies the data. */
export class AwsRestoredVolumes implements AwsKind<typeof KIND> {
  readonly pollAfterMs = 2_000;

  async build(work: AwsWork, { snapshot, node }: RestoredVolumeSpec): Promise<void> {
    const SnapshotId = await work.idOfOther('snapshot', snapshot, 'snapshot');
    const AvailabilityZone = await work.idOfOther('node', node, ZONE);
    const InstanceId = await work.idOfOther('node', node, 'node');
    const VolumeId = await this.make(work, { SnapshotId, AvailabilityZone });
    const [volume] = await volumesOf(work.clients, [{ Name: 'volume-id', Values: [VolumeId] }]);
    // AWS still fills a volume that is not available. The next call attaches the volume.
    if (volume?.State === 'available')
      await unless(['VolumeInUse'], work.clients.ec2.attachVolume({ VolumeId, InstanceId, Device: DEVICE }));
  }

  async look(
    clients: AwsClients,
    memories: ReadonlyMap<string, Remembered>,
  ): Promise<Map<string, Observed<typeof KIND>>> {
    const ids = idsOf(memories, KIND);
    if (ids.size === 0) return new Map();
    const volumes = await volumesOf(clients, [{ Name: 'volume-id', Values: [...ids.keys()] }]);
    const observed = volumes.flatMap((volume) => {
      const name = ids.get(volume.VolumeId ?? '') ?? '';
      const tags = memories.get(name)?.tags ?? ownerOf(volume.Tags)?.tags;
      return tags ? [[name, observedVolume({ name, tags }, volume, memories.get(name))] as const] : [];
    });
    return new Map(observed);
  }

  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const { ec2 } = work.clients;
    const tagged = await volumesOf(work.clients, filtersOf(installation, KIND, work.key.name, KIND));
    await work.startDeletion();
    for (const { VolumeId, InstanceId } of attachmentsOf(tagged))
      await unless(['IncorrectState'], ec2.detachVolume({ VolumeId, InstanceId }));
    let isGone = true;
    for (const VolumeId of work.leftOf(
      KIND,
      tagged.map((volume) => volume.VolumeId),
    ))
      isGone = (await isRemoved(ec2.deleteVolume({ VolumeId }))) && isGone;
    return isGone;
  }

  async list({ ec2 }: AwsClients, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { Volumes = [], NextToken } = await ec2.describeVolumes(pageRequest(KIND, tags, cursor));
    return ownedPage(Volumes, NextToken, (owner, one) => observedVolume(owner, one, undefined));
  }

  notVisibleYet(): ResourceAttributes[typeof KIND] {
    return { volume_id: '', device: '' };
  }

  /** AWS gives the volume the size of the snapshot. */
  private async make(work: AwsWork, where: { SnapshotId: string; AvailabilityZone: string }): Promise<string> {
    const { name } = work.key;
    // After its deletion, AWS would answer the same token with the deleted volume.
    if (work.id(NONCE) === null) await work.note(NONCE, randomUUID());
    const token = clientToken(work.tags.installation, KIND, name, where, work.id(NONCE));
    return work.part({
      ...{ part: KIND, token },
      find: async () => {
        const [volume] = await volumesOf(work.clients, filtersOf(work.tags.installation, KIND, name, KIND));
        return volume?.VolumeId ?? null;
      },
      create: async () => {
        const { VolumeId = '' } = await work.clients.ec2.createVolume({
          ...{ ...where, VolumeType: 'gp3', Encrypted: true, ClientToken: token },
          TagSpecifications: [
            { ResourceType: 'volume', Tags: tagsOf({ kind: KIND, name, part: KIND, tags: work.tags }) },
          ],
        });
        return VolumeId;
      },
    });
  }
}

async function volumesOf({ ec2 }: AwsClients, Filters: Filter[]): Promise<Volume[]> {
  return (await ec2.describeVolumes({ Filters })).Volumes ?? [];
}

const attachmentsOf = (volumes: readonly Volume[]) =>
  volumes.flatMap(({ Attachments = [] }) => Attachments).filter(({ State }) => State === 'attached');

function observedVolume(
  owner: Owner,
  { VolumeId = '', State, Attachments = [] }: Volume,
  memory: Remembered | undefined,
): Observed<typeof KIND> {
  const isAttached = State === 'in-use' && Attachments.some((one) => one.State === 'attached');
  const observed = {
    ...{ ...owner, id: VolumeId, attributes: { volume_id: VolumeId, device: volumeLink(VolumeId) } },
  };
  if (memory?.isDeleting) return { ...observed, state: 'deleting' };
  if (State === 'error') return { ...observed, state: 'failed', reason: `AWS could not make the volume ${VolumeId}` };
  if (isAttached) return { ...observed, state: 'active' };
  return { ...observed, state: 'pending', reason: `the volume ${VolumeId} is ${State ?? 'unknown'}` };
}
