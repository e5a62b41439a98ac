import { randomUUID } from 'node:crypto';
import type { Instance } from '@aws-sdk/client-ec2';
import { isRemoved, unless, type AwsClients } from '../aws-clients.js';
import type { Page } from '../../driver/driver-kind.js';
import type { Remembered } from '../../driver/driver-memory.js';
import { clientToken, filtersOf, ownerOf, pageRequest, tagsOf } from '../aws-names.js';
import type { AwsWork } from '../aws-work.js';
import type { InventoryTags } from '../../cloud-provider.js';

const KIND = 'node';
/** The part with the id of the volume. */
export const VOLUME = 'volume';
/** The part with the instance that has the volume. */
export const ATTACHED = 'attached';
/** The part with a volume that somebody deleted before its instance had it. */
export const LOST_VOLUME = 'lost volume';
/** Volumes of another zone, or of an earlier machine of the node: they are deleted when AWS lets them go. */
const FORMER = 'former volume';
/** What AWS shows of the device on its own types is a serial number, so the name has no meaning for them. */
const DEVICE = '/dev/sdf';

/** The data volume of a node. */
export interface WantedVolume {
  /** The whole name of the zone. */
  zone: string;
  size_gib: number;
  incarnation: number;
}

/** A volume that its instance had, and that AWS no longer shows there. */
export interface VolumeLoss {
  id: string;
  /** AWS does not have the volume any more. */
  isDeleted: boolean;
}

/** After this time AWS shows each change. */
const VISIBLE_AFTER_MS = 60_000;
/** The stage of the inventory. */
export const VOLUMES = 'volumes';
const NONCE = 'nonce of the volume';
const SIZE = 'volume size';
/** The part with the zone of the volume. */
export const ZONE = 'volume zone';
const OF_A_VOLUME = [VOLUME, NONCE, SIZE, ZONE, ATTACHED];

const hasVolume = ({ BlockDeviceMappings = [] }: Instance, id: string): boolean =>
  BlockDeviceMappings.some(({ Ebs }) => Ebs?.VolumeId === id);

/** The data volumes of nodes. Each is made before its instance, grows in place, and is deleted after its instance. */
export class NodeVolumes {
  /** The id of the volume in the zone, which is created if it does not exist. */
  async bring(work: AwsWork, { zone, size_gib, incarnation }: WantedVolume): Promise<string> {
    const { ec2 } = work.clients;
    if (work.id(VOLUME) !== null && work.id(ZONE) !== zone) await this.retire(work);
    const { name } = work.key;
    // After its deletion, AWS would answer the same token with the deleted volume.
    if (work.id(NONCE) === null) await work.note(NONCE, randomUUID());
    const token = clientToken(work.tags.installation, name, VOLUME, incarnation, zone, size_gib, work.id(NONCE));
    const id = await work.part({
      part: VOLUME,
      token,
      find: async () => (await this.tagged(work, zone))[0] ?? null,
      create: async () => {
        const { VolumeId = '' } = await ec2.createVolume({
          ...{ AvailabilityZone: zone, Size: size_gib, VolumeType: 'gp3', Encrypted: true },
          ClientToken: token,
          TagSpecifications: [
            { ResourceType: 'volume', Tags: tagsOf({ kind: KIND, name, part: VOLUME, tags: work.tags }) },
          ],
        });
        return VolumeId;
      },
    });
    if (work.id(ZONE) !== zone) await work.note(ZONE, zone);
    await this.grow(work, id, size_gib);
    return id;
  }

  /**
   * Attaches the volume to its running instance, also again after somebody has detached it. False: somebody has deleted the volume before an
   * instance had it, so it never had data, and the node needs another volume and another instance.
   */
  async attach(work: AwsWork, instance: Instance): Promise<boolean> {
    const { InstanceId = '' } = instance;
    const VolumeId = work.id(VOLUME);
    if (VolumeId === null) return true;
    const wasAttached = work.id(ATTACHED) === InstanceId;
    if (wasAttached && (hasVolume(instance, VolumeId) || work.isRecent(ATTACHED, VISIBLE_AFTER_MS))) return true;
    const attachment = work.clients.ec2.attachVolume({ VolumeId, InstanceId, Device: DEVICE });
    const call = unless(['VolumeInUse'], attachment).then(() => true);
    // A new volume can be invisible for a while, and the loss of a volume with data needs the proof of `lost`.
    if (wasAttached || work.isRecent(VOLUME, VISIBLE_AFTER_MS)) await call;
    else if ((await unless(['InvalidVolume.NotFound'], call)) === null) return false;
    await work.note(ATTACHED, InstanceId);
    if (work.id(LOST_VOLUME) !== null) await work.drop(LOST_VOLUME);
    return true;
  }

  /** Somebody has deleted the volume. */
  async forget(work: AwsWork): Promise<void> {
    await work.note(LOST_VOLUME, work.id(VOLUME) ?? '');
    for (const part of OF_A_VOLUME) await work.drop(part);
  }

  /** The volumes that are missing at their instances, by the id of the instance. AWS is asked only when one is missing. */
  async lost(
    { ec2 }: AwsClients,
    instances: readonly Instance[],
    knownOf: (instanceId: string) => Remembered | undefined,
  ): Promise<Map<string, VolumeLoss>> {
    const missing = instances.flatMap((instance) => {
      const { InstanceId = '' } = instance;
      const parts = knownOf(InstanceId)?.parts;
      const [id, attached] = [parts?.get(VOLUME)?.id, parts?.get(ATTACHED)];
      const isSettled = attached?.id === InstanceId && attached.begunAgoMs >= VISIBLE_AFTER_MS;
      return id && isSettled && !hasVolume(instance, id) ? [[InstanceId, id] as const] : [];
    });
    if (missing.length === 0) return new Map();
    const Filters = [{ Name: 'volume-id', Values: missing.map(([, id]) => id) }];
    const { Volumes = [] } = await ec2.describeVolumes({ Filters });
    const existing = new Set(Volumes.map(({ VolumeId }) => VolumeId));
    return new Map(missing.map(([instance, id]) => [instance, { id, isDeleted: !existing.has(id) }]));
  }

  /** The volume is not needed any more. */
  async retire(work: AwsWork): Promise<void> {
    const id = work.id(VOLUME);
    if (id !== null) await work.note(`${FORMER} ${id}`, id);
    for (const part of OF_A_VOLUME) await work.drop(part);
  }

  /** Deletes the volumes that are not needed any more. */
  async sweep(work: AwsWork): Promise<void> {
    for (const part of work.partsOf(FORMER)) {
      const VolumeId = work.id(part) ?? '';
      if (await isRemoved(work.clients.ec2.deleteVolume({ VolumeId }))) await work.drop(part);
    }
  }

  /** Deletes every volume of the node. True: none is left. */
  async removeAll(work: AwsWork, installation: string): Promise<boolean> {
    const { ec2 } = work.clients;
    const Filters = filtersOf(installation, KIND, work.key.name, VOLUME);
    const { Volumes = [] } = await ec2.describeVolumes({ Filters });
    const ids = work.leftOf(
      VOLUME,
      Volumes.map(({ VolumeId }) => VolumeId),
    );
    let isGone = true;
    for (const VolumeId of new Set([...ids, ...work.ids(FORMER)]))
      isGone = (await isRemoved(ec2.deleteVolume({ VolumeId }))) && isGone;
    return isGone;
  }

  /** A page of the volumes, each as its node without an instance. */
  async list({ ec2 }: AwsClients, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { Volumes = [], NextToken } = await ec2.describeVolumes(pageRequest(VOLUME, tags, cursor));
    const parts = Volumes.flatMap(({ VolumeId = '', AvailabilityZone: zone = '', Tags }) => {
      const owner = ownerOf(Tags);
      if (owner === null) return [];
      const attributes = { private_ip: '', public_ip: null, zone, image_id: '' };
      return [{ ...owner, id: VolumeId, state: 'pending' as const, attributes }];
    });
    return { observed: [], parts, next: NextToken ? `${VOLUMES} ${NextToken}` : null };
  }

  /** AWS changes the size of a volume once in six hours, and says so in its refusal. A volume never becomes smaller. */
  private async grow(work: AwsWork, VolumeId: string, size: number): Promise<void> {
    const known = work.id(SIZE);
    if (known !== null && Number(known) < size) await work.clients.ec2.modifyVolume({ VolumeId, Size: size });
    if (known === null || Number(known) < size) await work.note(SIZE, String(size));
  }

  private async tagged(work: AwsWork, zone: string): Promise<string[]> {
    const Filters = [
      ...filtersOf(work.tags.installation, KIND, work.key.name, VOLUME),
      { Name: 'availability-zone', Values: [zone] },
    ];
    const { Volumes = [] } = await work.clients.ec2.describeVolumes({ Filters });
    const former = work.ids(FORMER);
    return Volumes.flatMap(({ VolumeId = '' }) => (former.includes(VolumeId) ? [] : [VolumeId]));
  }
}
