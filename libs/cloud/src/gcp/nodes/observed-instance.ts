import type { ResourceState } from '../../cloud-provider.js';
import type { Owner, Observed } from '../../driver/driver-kind.js';
import type { Remembered } from '../../driver/driver-memory.js';
import { joinedState, type ReservedMachine } from '../../driver/reserved-machines.js';
import { baseName, scopeOf } from '../gcp-names.js';
import type { GcpInstance } from '../gcp-shapes.js';
import { isRunning } from '../gcp-work.js';
import { DISK, hasDisk } from './node-disks.js';
import { IMAGE, WANTED_TYPE } from './node-instances.js';

interface State {
  state: ResourceState;
  reason?: string;
}

/** What the driver knows of the node of an instance. */
export interface KnownNode {
  known: Remembered;
  machine: ReservedMachine | undefined;
  /** Google does not have the data disk any more. */
  isDiskLost: boolean;
}

/** An instance as the state of its node. `found`: null when Google does not have the instance. Null: nothing is left of the node. */
export function observedInstance(
  owner: Owner,
  path: string,
  instance: GcpInstance | null,
  node: KnownNode | undefined,
): Observed<'node'> | null {
  // The data disk is deleted after its instance.
  if (instance === null && node?.known.isDeleting && !node.known.parts.has(DISK)) return null;
  return {
    ...{ ...owner, id: path },
    ...(node?.known.isDeleting ? { state: 'deleting' as const } : stateOf(path, instance, node)),
    attributes: attributesOf(instance, baseName(scopeOf(path)), node?.known.parts.get(IMAGE)?.id ?? ''),
  };
}

function attributesOf(instance: GcpInstance | null, zone: string, image_id: string): Observed<'node'>['attributes'] {
  const { networkIP: private_ip = '', accessConfigs = [] } = instance?.networkInterfaces?.[0] ?? {};
  return { private_ip, public_ip: accessConfigs[0]?.natIP ?? null, zone, image_id };
}

function stateOf(path: string, instance: GcpInstance | null, node: KnownNode | undefined): State {
  const name = baseName(path);
  if (instance === null) {
    // Google shows an instance to its name at once, so one that is missing has ended.
    if (!node || isRunning(node.known)) return { state: 'pending', reason: `Google creates the instance ${name}` };
    return { state: 'failed', reason: `somebody has deleted the instance ${name}` };
  }
  if (node?.isDiskLost)
    return { state: 'failed', reason: `somebody has deleted the data disk of the instance ${name}` };
  if (instance.status === 'TERMINATED') return stopped(name, node);
  if (instance.status !== 'RUNNING')
    return { state: 'pending', reason: `the instance ${name} is ${instance.status ?? 'new'}` };
  return unfinished(name, instance, node) ?? joinedState(name, node?.machine);
}

/** Google says TERMINATED of an instance that is stopped. */
function stopped(name: string, node: KnownNode | undefined): State {
  if (node && !node.known.parts.has(DISK))
    return { state: 'failed', reason: `the instance ${name} was stopped, and its local disks lost their data` };
  return { state: 'pending', reason: `the instance ${name} is stopped` };
}

/** What Google still has to do for a running instance. Null: nothing. */
function unfinished(name: string, instance: GcpInstance, node: KnownNode | undefined): State | null {
  if (node === undefined) return null;
  const { parts } = node.known;
  // While an operation runs, the driver cannot tell an instance that somebody deletes from one that Google creates.
  if (isRunning(node.known)) return { state: 'pending', reason: `Google completes the instance ${name}` };
  const type = baseName(instance.machineType ?? '');
  const wanted = parts.get(WANTED_TYPE)?.id ?? type;
  if (wanted !== type) return { state: 'pending', reason: `the instance ${name} is to change to ${wanted}` };
  const disk = parts.get(DISK)?.id;
  if (disk && !hasDisk(instance, disk))
    return { state: 'pending', reason: `the data disk is not attached to the instance ${name}` };
  return null;
}
