import type { _InstanceType, Filter, Instance, RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import type { NodeToPlace } from '@libs/domain';
import { CloudError } from '../../cloud-error.js';
import type { NodeResourceSpec } from '../../resource-specs.js';
import type { AwsClients } from '../aws-clients.js';
import { clientToken, filtersOf, tagsOf } from '../aws-names.js';
import type { AwsWork } from '../aws-work.js';
import { firstBootScript } from '../../driver/first-boot.js';
import { isLocal } from '../../driver/reserved-machines.js';
import { LOCAL_DISKS, volumeLink } from './volume-links.js';
import { NodeImages } from './node-images.js';
import { processorOf, type AwsNodeSettings } from './node-settings.js';

const KIND = 'node';
/** The part that remembers the type that the instance has or gets. */
export const WANTED_TYPE = 'type';
/** Instances of earlier incarnations: AWS was asked to end them, and they still have their volumes. */
export const FORMER_INSTANCE = 'former instance';
const FULL = 'full';
/** A zone without capacity for a type is not asked again for this time. */
const FULL_FOR_MS = 3 * 60_000;
const ROOT_DISK = { VolumeType: 'gp3', VolumeSize: 16, Encrypted: true, DeleteOnTermination: true } as const;
const ONE = { MinCount: 1, MaxCount: 1 };

interface Launch {
  spec: NodeResourceSpec;
  node: NodeToPlace;
  /** The whole name. */
  zone: string;
  /** Null: the data is on local disks. */
  volumeId: string | null;
}

export async function instancesOf({ ec2 }: AwsClients, Filters: Filter[]): Promise<Instance[]> {
  const { Reservations = [] } = await ec2.describeInstances({ Filters });
  return Reservations.flatMap(({ Instances = [] }) => Instances);
}

/** The instances of nodes. */
export class NodeInstances {
  private readonly images: NodeImages;

  constructor(private readonly settings: AwsNodeSettings) {
    this.images = new NodeImages(settings.image);
  }

  /**
   * Starts the instance. In a zone without capacity for the best type the call fails with `capacity`, so that the caller can try another
   * zone. A caller that returns to the zone gets the next type.
   */
  async launch(work: AwsWork, launch: Launch): Promise<void> {
    const { spec, zone } = launch;
    const type = this.typeFor(work, spec, zone);
    await work.note(WANTED_TYPE, type);
    const order = await this.order(work, launch, type);
    try {
      await work.part({
        part: KIND,
        ...(order.ClientToken !== undefined && { token: order.ClientToken }),
        find: async () => {
          const Filters = [...filtersOf(work.tags.installation, KIND, work.key.name, KIND), LIVING];
          const former = work.ids(FORMER_INSTANCE);
          return (
            (await instancesOf(work.clients, Filters))
              .map(({ InstanceId = '' }) => InstanceId)
              .find((id) => !former.includes(id)) ?? null
          );
        },
        create: async () => {
          const reservation = await work.clients.ec2.runInstances(order);
          return reservation.Instances?.[0]?.InstanceId ?? '';
        },
      });
    } catch (error) {
      if (!(error instanceof CloudError) || error.code !== 'capacity') throw error;
      await work.note(`${FULL} ${type} ${zone}`, zone);
      // The call names a subnet, so its refusal does not name the zone.
      throw new CloudError({ code: 'capacity', what: type, zone }, error.message, { cause: error });
    }
    for (const part of work.partsOf(`${FULL} `)) await work.drop(part);
  }

  /**
   * Does the next step towards a running instance of the wanted type. True: nothing is left to do. An instance with local disks is never
   * stopped, because a stop deletes its data.
   */
  async bring(
    work: AwsWork,
    { InstanceId = '', InstanceType, State }: Instance,
    spec: NodeResourceSpec,
  ): Promise<boolean> {
    const { ec2 } = work.clients;
    const types = this.typesOf(spec);
    const wantedType = types.includes(String(InstanceType))
      ? String(InstanceType)
      : this.sameProcessor(types, InstanceType);
    if (wantedType !== InstanceType && isLocal(spec.storage.type))
      throw new CloudError(
        { code: 'invalid' },
        'an instance with local disks cannot change its type without losing its data',
      );
    if (work.id(WANTED_TYPE) !== wantedType) await work.note(WANTED_TYPE, wantedType);
    const state = State?.Name;
    if (state === 'running' && wantedType === InstanceType) return true;
    if (state === 'running') await ec2.stopInstances({ InstanceIds: [InstanceId] });
    if (state !== 'stopped') return false;
    if (wantedType !== InstanceType)
      await ec2.modifyInstanceAttribute({ InstanceId, InstanceType: { Value: wantedType } });
    await ec2.startInstances({ InstanceIds: [InstanceId] });
    return false;
  }

  /** Before another instance of the node. */
  async forget(work: AwsWork): Promise<void> {
    for (const part of [WANTED_TYPE, ...work.partsOf(`${FULL} `)]) await work.drop(part);
  }

  private typesOf({ variant, storage }: NodeResourceSpec): string[] {
    return this.settings
      .typesOf(variant, storage.type)
      .filter((type) => this.settings.processors.includes(processorOf(type)));
  }

  private typeFor(work: AwsWork, spec: NodeResourceSpec, zone: string): string {
    const types = this.typesOf(spec);
    const [first] = types;
    if (first === undefined)
      throw new CloudError(
        { code: 'invalid' },
        `AWS has no instance type for nodes of the size ${spec.variant}: see AWS_PROCESSORS`,
      );
    const type = types.find((one) => !work.isRecent(`${FULL} ${one} ${zone}`, FULL_FOR_MS));
    if (type !== undefined) return type;
    throw new CloudError(
      { code: 'capacity', what: first, zone },
      `AWS has no capacity for ${types.join(', ')} in ${zone}`,
    );
  }

  /** The root volume has programs for one processor. */
  private sameProcessor(types: readonly string[], current: string | undefined): string {
    const processor = processorOf(String(current));
    const found = types.find((type) => processorOf(type) === processor);
    if (found !== undefined) return found;
    throw new CloudError({ code: 'invalid' }, `AWS has no instance type of this size with the processor of ${current}`);
  }

  private async order(
    work: AwsWork,
    { spec, node, zone, volumeId }: Launch,
    type: string,
  ): Promise<RunInstancesCommandInput> {
    const { join, machines } = this.settings;
    if (join === null)
      throw new CloudError({ code: 'invalid' }, 'instances need an authority to trust: set AGENT_CA or TLS_CERT');
    const image = await this.images.find(work.clients, spec.region, processorOf(type));
    const SubnetId = await work.idOfOther('network', spec.network, `subnet ${spec.zone}`);
    const group = await work.idOfOther('firewall', spec.firewall, 'firewall');
    // The token is part of the user data, and AWS refuses a repeated creation with other user data.
    const token = await machines.offer(node);
    const { name } = work.key;
    const shape = [KIND, name, spec.incarnation, type, zone, image.id, token.split('.')[0], volumeId];
    return {
      ...{ ...ONE, ImageId: image.id, InstanceType: type as _InstanceType },
      ClientToken: clientToken(work.tags.installation, ...shape),
      UserData: Buffer.from(
        firstBootScript({ join, token, disks: volumeId === null ? LOCAL_DISKS : volumeLink(volumeId) }),
      ).toString('base64'),
      // No process of a node gets the credentials of the instance.
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1, HttpEndpoint: 'enabled' },
      BlockDeviceMappings: [{ DeviceName: image.root, Ebs: ROOT_DISK }],
      NetworkInterfaces: [
        {
          ...{ DeviceIndex: 0, SubnetId, Groups: [group], DeleteOnTermination: true },
          // The way to the gateway, where the customer has not made one. Clients are admitted by the firewall alone.
          AssociatePublicIpAddress: work.clients.at.account === null,
        },
      ],
      TagSpecifications: tagsOfInstance(work),
    };
  }
}

const LIVING = { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] };

/** AWS creates these with the instance. */
function tagsOfInstance({ key: { name }, tags }: AwsWork): RunInstancesCommandInput['TagSpecifications'] {
  const parts = { instance: KIND, volume: 'root volume', 'network-interface': 'interface' } as const;
  return Object.entries(parts).map(([type, part]) => ({
    ResourceType: type as keyof typeof parts,
    Tags: tagsOf({ kind: KIND, name, part, tags }),
  }));
}
