import type { Address, EC2, Instance, Volume } from '@aws-sdk/client-ec2';
import type { SeenDisk } from '../clouds/cloud-disks.js';
import type { InstanceSource, SeenInstance } from '../clouds/cloud-hosts.js';
import { LANDLORDS } from './moto-inventory.js';

/** Where Landlord attaches volumes. The root disk of a host is its own. */
const DEVICES = ['/dev/sdf', '/dev/sdg'];
const STATES: Record<string, SeenInstance['state']> = { running: 'running', stopped: 'stopped', terminated: 'ended' };

/** The instances and volumes of Moto. */
export class MotoInstances implements InstanceSource {
  constructor(private readonly ec2: EC2) {}

  async instances(): Promise<SeenInstance[]> {
    const { Reservations = [] } = await this.ec2.describeInstances({});
    const { Addresses = [] } = await this.ec2.describeAddresses({});
    const all = Reservations.flatMap(({ Instances = [] }) => Instances);
    const seen: SeenInstance[] = [];
    for (const instance of all) seen.push(await this.seen(instance, Addresses));
    return seen;
  }

  async bootScript(InstanceId: string): Promise<string> {
    const { UserData } = await this.ec2.describeInstanceAttribute({ InstanceId, Attribute: 'userData' });
    return Buffer.from(UserData?.Value ?? '', 'base64').toString();
  }

  async diskIds(): Promise<string[]> {
    return ((await this.ec2.describeVolumes({})).Volumes ?? []).map(({ VolumeId = '' }) => VolumeId);
  }

  async snapshots(): Promise<{ id: string; disk: string }[]> {
    const { Snapshots = [] } = await this.ec2.describeSnapshots(LANDLORDS);
    return Snapshots.map(({ SnapshotId = '', VolumeId = '' }) => ({ id: SnapshotId, disk: VolumeId }));
  }

  /** Moto takes public addresses of the loopback. */
  private async seen(instance: Instance, addresses: readonly Address[]): Promise<SeenInstance> {
    const { InstanceId: id = '', PrivateIpAddress: private_ip = '', State } = instance;
    const state = STATES[State?.Name ?? ''] ?? 'other';
    const own = addresses.filter(({ InstanceId }) => InstanceId === id).map(({ PublicIp = '' }) => PublicIp);
    const isThere = state === 'running';
    return {
      ...{ id, state, private_ip, public_ips: own },
      ports: isThere && own.length > 0 ? await this.ports(instance) : [],
      disks: isThere ? await this.disks(id) : [],
    };
  }

  private async ports({ SecurityGroups = [] }: Instance): Promise<number[]> {
    const GroupIds = SecurityGroups.map(({ GroupId = '' }) => GroupId);
    const groups = (await this.ec2.describeSecurityGroups({ GroupIds })).SecurityGroups ?? [];
    return groups
      .flatMap(({ IpPermissions = [] }) => IpPermissions)
      .flatMap(({ IpProtocol, FromPort, IpRanges = [] }) =>
        IpProtocol === 'tcp' && FromPort !== undefined && IpRanges.length > 0 ? [FromPort] : [],
      );
  }

  private async disks(instanceId: string): Promise<SeenDisk[]> {
    const Filters = [{ Name: 'attachment.instance-id', Values: [instanceId] }];
    const { Volumes = [] } = await this.ec2.describeVolumes({ Filters });
    return Volumes.filter(({ Attachments = [] }) => DEVICES.includes(Attachments[0]?.Device ?? '')).map(seenDisk);
  }
}

const seenDisk = ({ VolumeId = '', Size = 1, SnapshotId = '' }: Volume): SeenDisk => ({
  id: VolumeId,
  link: `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${VolumeId.replace('-', '')}`,
  size_gib: Size,
  snapshot: SnapshotId || null,
});
