import type { Instance } from '@aws-sdk/client-ec2';
import type { ResourceState } from '../../cloud-provider.js';
import type { Observed } from '../../driver/driver-kind.js';
import type { Remembered } from '../../driver/driver-memory.js';
import { ownerBy, ownerOf } from '../aws-names.js';
import { WANTED_TYPE } from './node-instances.js';
import { ATTACHED, LOST_VOLUME, VOLUME, type VolumeLoss } from './node-volumes.js';
import { joinedState, type ReservedMachine } from '../../driver/reserved-machines.js';

interface State {
  state: ResourceState;
  reason?: string;
}

/** What the driver knows of the node of an instance. */
export interface KnownNode {
  name: string;
  known: Remembered;
  machine: ReservedMachine | undefined;
  /** The condition of a volume that AWS does not show at its instance. */
  volume: VolumeLoss | undefined;
}

/** An instance as the state of its node. Null: the tags are not those of Landlord, or were removed by hand and nothing is known. */
export function observedInstance(instance: Instance, node: KnownNode | undefined): Observed<'node'> | null {
  const { InstanceId = '', Tags } = instance;
  const owner = ownerBy(node?.name, node?.known, Tags);
  if (owner === null) return null;
  const tagless = `somebody has removed the tags of the instance ${InstanceId}, so AWS can refuse to change or end it`;
  return {
    ...owner,
    id: InstanceId,
    ...(ownerOf(Tags) === null && { reason: tagless }),
    ...(node?.known.isDeleting ? { state: 'deleting' as const } : (lost(instance, node) ?? stateOf(instance, node))),
    attributes: attributesOf(instance),
  };
}

const attributesOf = ({ PrivateIpAddress = '', PublicIpAddress, Placement, ImageId = '' }: Instance) => ({
  private_ip: PrivateIpAddress,
  public_ip: PublicIpAddress ?? null,
  zone: Placement?.AvailabilityZone ?? '',
  image_id: ImageId,
});

/** An instance without the volume that has the data. Null: AWS has the volume. */
function lost({ InstanceId: id, State: state }: Instance, node: KnownNode | undefined): State | null {
  if (!node?.volume?.isDeleted || state?.Name === 'terminated') return null;
  return { state: 'failed', reason: `somebody has deleted the volume ${node.volume.id} of the instance ${id}` };
}

/** `active`: AWS has nothing more to do. Whether the agent reports is the matter of the gateway, and the reason says so. */
function stateOf(instance: Instance, node: KnownNode | undefined): State {
  const { InstanceId: id } = instance;
  switch (instance.State?.Name) {
    case 'terminated':
    case 'shutting-down':
      return { state: 'failed', reason: `the instance ${id} has ended` };
    case 'stopped':
    case 'stopping':
      return stopped(instance, node?.known);
    case 'running':
      break;
    default:
      return { state: 'pending', reason: `the instance ${id} starts` };
  }
  return unfinished(instance, node) ?? joinedState(String(id), node?.machine);
}

/** What AWS still has to do for a running instance. Null: nothing. */
function unfinished({ InstanceId: id, InstanceType }: Instance, node: KnownNode | undefined): State | null {
  if (node === undefined) return null;
  const { known, volume } = node;
  const wanted = known.parts.get(WANTED_TYPE)?.id ?? InstanceType;
  if (wanted !== InstanceType) return { state: 'pending', reason: `the instance ${id} is to change to ${wanted}` };
  if (volume) return { state: 'pending', reason: `the volume ${volume.id} is not attached to the instance ${id}` };
  if (!known.parts.has(VOLUME) || known.parts.get(ATTACHED)?.id === id) return null;
  const lost = known.parts.get(LOST_VOLUME)?.id;
  const why = lost ? `: somebody has deleted the volume ${lost} before it had data, and the node got another one` : '';
  return { state: 'pending', reason: `the instance ${id} has no volume yet${why}` };
}

function stopped({ InstanceId: id }: Instance, memory: Remembered | undefined): State {
  if (memory !== undefined && !memory.parts.has(VOLUME))
    return { state: 'failed', reason: `the instance ${id} was stopped, and its local disks lost their data` };
  return { state: 'pending', reason: `the instance ${id} is stopped` };
}
