import { randomUUID } from 'node:crypto';
import type { Filter } from '@aws-sdk/client-ec2';
import { isRemoved, unless, type AwsClients } from '../aws-clients.js';
import type { Page } from '../aws-kind.js';
import { clientToken, filtersOf, ownerOf, tagsOf } from '../aws-names.js';
import type { AwsWork } from '../aws-work.js';

const KIND = 'node';
/** The part with the id of the volume. */
export const VOLUME = 'volume';
/** The part with the instance that has the volume. */
export const ATTACHED = 'attached';
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

const ON_A_PAGE = 200;
/** The stage of the inventory. */
export const VOLUMES = 'volumes';
const NONCE = 'nonce of the volume';
const SIZE = 'volume size';
/** The part with the zone of the volume. */
export const ZONE = 'volume zone';

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

  /** Attaches the volume to its running instance. */
  async attach(work: AwsWork, InstanceId: string): Promise<void> {
    const VolumeId = work.id(VOLUME);
    if (VolumeId === null || work.id(ATTACHED) === InstanceId) return;
    await unless(['VolumeInUse'], work.clients.ec2.attachVolume({ VolumeId, InstanceId, Device: DEVICE }));
    await work.note(ATTACHED, InstanceId);
  }

  /** The volume is not needed any more. */
  async retire(work: AwsWork): Promise<void> {
    const id = work.id(VOLUME);
    if (id !== null) await work.note(`${FORMER} ${id}`, id);
    for (const part of [VOLUME, NONCE, SIZE, ZONE, ATTACHED]) await work.drop(part);
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
  async list({ ec2 }: AwsClients, Filters: Filter[], cursor: string | null): Promise<Page<typeof KIND>> {
    const { Volumes = [], NextToken } = await ec2.describeVolumes({
      ...{ Filters, MaxResults: ON_A_PAGE },
      ...(cursor !== null && { NextToken: cursor }),
    });
    const parts = Volumes.flatMap(({ VolumeId = '', AvailabilityZone: zone = '', Tags }) => {
      const owner = ownerOf(Tags);
      if (owner === null) return [];
      const attributes = { private_ip: '', public_ip: null, zone, image_id: '' };
      return [{ ...owner, id: VolumeId, state: 'pending' as const, attributes }];
    });
    return { shown: [], parts, next: NextToken ? `${VOLUMES} ${NextToken}` : null };
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
