import type { Instance } from '@aws-sdk/client-ec2';
import type { ResourceState } from '../../cloud-provider.js';
import type { Shown } from '../aws-kind.js';
import type { Remembered } from '../aws-memory.js';
import { ownerOf } from '../aws-names.js';
import { WANTED_TYPE } from './node-instances.js';
import { ATTACHED, VOLUME } from './node-volumes.js';
import type { ReservedMachine } from './node-settings.js';

interface State {
  state: ResourceState;
  reason?: string;
}

/** An instance as the state of its node. Null: the tags are not those of Landlord, or were removed by hand and nothing is known. */
export function shownInstance(
  instance: Instance,
  known: Remembered | undefined,
  machine: ReservedMachine | undefined,
): Shown<'node'> | null {
  const { InstanceId = '', PrivateIpAddress = '', PublicIpAddress, Placement, ImageId = '', Tags } = instance;
  const owner = ownerOf(Tags);
  if (owner === null) return null;
  return {
    ...owner,
    id: InstanceId,
    ...(known?.isDeleting ? { state: 'deleting' as const } : stateOf(instance, known, machine)),
    attributes: {
      private_ip: PrivateIpAddress,
      public_ip: PublicIpAddress ?? null,
      zone: Placement?.AvailabilityZone ?? '',
      image_id: ImageId,
    },
  };
}

/** `active`: AWS has nothing more to do. Whether the agent reports is the matter of the gateway, and the reason says so. */
function stateOf(instance: Instance, known: Remembered | undefined, machine: ReservedMachine | undefined): State {
  const { InstanceId: id } = instance;
  switch (instance.State?.Name) {
    case 'terminated':
    case 'shutting-down':
      return { state: 'failed', reason: `the instance ${id} has ended` };
    case 'stopped':
    case 'stopping':
      return stopped(instance, known);
    case 'running':
      break;
    default:
      return { state: 'pending', reason: `the instance ${id} starts` };
  }
  return unfinished(instance, known) ?? joined(String(id), machine);
}

/** What AWS still has to do for a running instance. Null: nothing. */
function unfinished({ InstanceId: id, InstanceType }: Instance, known: Remembered | undefined): State | null {
  if (known === undefined) return null;
  const wanted = known.parts.get(WANTED_TYPE)?.id ?? InstanceType;
  if (wanted !== InstanceType) return { state: 'pending', reason: `the instance ${id} is to change to ${wanted}` };
  if (!known.parts.has(VOLUME) || known.parts.get(ATTACHED)?.id === id) return null;
  return { state: 'pending', reason: `the instance ${id} has no volume yet` };
}

function stopped({ InstanceId: id }: Instance, known: Remembered | undefined): State {
  if (known !== undefined && !known.parts.has(VOLUME))
    return { state: 'failed', reason: `the instance ${id} was stopped, and its local disks lost their data` };
  return { state: 'pending', reason: `the instance ${id} is stopped` };
}

function joined(id: string, machine: ReservedMachine | undefined): State {
  if (machine === undefined || machine.machine === 'expected')
    return { state: 'active', reason: `the instance ${id} runs and has not joined yet` };
  if (machine.machine === 'removed') return { state: 'failed', reason: `an operator has removed the machine of ${id}` };
  const { node } = machine;
  if (node?.is_silent) return { state: 'active', reason: `the machine of the instance ${id} does not report` };
  if (node && node.state !== 'active' && node.reason) return { state: 'active', reason: node.reason };
  return { state: 'active' };
}
