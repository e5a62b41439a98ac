import type { Instance, TerminateInstancesResult } from '@aws-sdk/client-ec2';
import type { InventoryTags } from '../../cloud-provider.js';
import type { NodeResourceSpec } from '../../resource-specs.js';
import { ifThere, isRemoved, type AwsClients } from '../aws-clients.js';
import type { Page, Observed } from '../../driver/driver-kind.js';
import type { AwsKind } from '../aws-kind.js';
import { idsOf, type Remembered } from '../../driver/driver-memory.js';
import { filtersOf, pageRequest, zoneName } from '../aws-names.js';
import type { AwsWork } from '../aws-work.js';
import { FORMER_INSTANCE, instancesOf, NodeInstances } from './node-instances.js';
import { isLocal, nodeToPlace } from '../../driver/reserved-machines.js';
import type { AwsNodeSettings } from './node-settings.js';
import { NodeVolumes, VOLUMES } from './node-volumes.js';
import { observedInstance } from './observed-instance.js';

const KIND = 'node';
const SEEN_FOR_MS = 4_000;
const INCARNATION = 'incarnation';
/** The first stage of the inventory. */
const INSTANCES = 'instances';

/** An instance with its data volume. It joins as the machine of the node, and the machine agent starts the node. */
export class AwsNodes implements AwsKind<typeof KIND> {
  readonly pollAfterMs = 5_000;
  private readonly volumes = new NodeVolumes();
  private readonly instances: NodeInstances;
  /** The last looks of this process, by the id of the instance. Each serves one call. */
  private readonly seen = new Map<string, { instance: Instance; at: number }>();

  constructor(private readonly settings: AwsNodeSettings) {
    this.instances = new NodeInstances(settings);
  }

  async build(work: AwsWork, spec: NodeResourceSpec): Promise<void> {
    await this.retireEarlier(work, spec.incarnation);
    const node = nodeToPlace(work.key.name, work.tags, spec);
    const zone = zoneName(spec.region, spec.zone);
    const instance = work.id(KIND) === null ? null : await this.one(work);
    // The volume of a living instance is in the zone of the instance.
    const volume = { zone: instance?.Placement?.AvailabilityZone ?? zone, size_gib: spec.storage.size_gib };
    const { incarnation } = spec;
    const volumeId = isLocal(spec.storage.type) ? null : await this.volumes.bring(work, { ...volume, incarnation });
    if (work.id(KIND) === null) await this.instances.launch(work, { spec, node, zone, volumeId });
    else {
      await this.settings.machines.update(node);
      if (instance && !(await this.bring(work, instance, spec))) return this.build(work, spec);
    }
    await this.volumes.sweep(work);
  }

  async look(
    clients: AwsClients,
    memories: ReadonlyMap<string, Remembered>,
  ): Promise<Map<string, Observed<typeof KIND>>> {
    const ids = idsOf(memories, KIND);
    if (ids.size === 0) return new Map();
    const instances = await instancesOf(clients, [{ Name: 'instance-id', Values: [...ids.keys()] }]);
    this.note(instances);
    const machines = await this.settings.machines.find([...ids.values()]);
    const volumes = await this.volumes.lost(clients, instances, (id) => memories.get(ids.get(id) ?? ''));
    const observed = instances.flatMap((instance) => {
      const { InstanceId = '' } = instance;
      const name = ids.get(InstanceId) ?? '';
      const memory = memories.get(name);
      const machine = machines.get(name);
      return (
        observedInstance(instance, memory && { name, known: memory, machine, volume: volumes.get(InstanceId) }) ?? []
      );
    });
    return new Map(observed.map((one) => [one.name, one]));
  }

  /** The volumes follow their instances: AWS lets a volume go when its instance has ended. */
  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const { ec2 } = work.clients;
    const { name } = work.key;
    const tagged = await instancesOf(work.clients, filtersOf(installation, KIND, name, KIND));
    await work.startDeletion();
    const living = tagged.filter((one) => one.State?.Name !== 'terminated').map(({ InstanceId }) => InstanceId);
    const ended = new Set(tagged.filter((one) => one.State?.Name === 'terminated').map(({ InstanceId }) => InstanceId));
    const formerIds = [...work.leftOf(KIND, living), ...work.ids(FORMER_INSTANCE)].filter((id) => !ended.has(id));
    let isGone = true;
    for (const id of formerIds) isGone = (await isEnded(ec2.terminateInstances({ InstanceIds: [id] }))) && isGone;
    if (!(await this.volumes.removeAll(work, installation)) || !isGone) return false;
    await this.settings.machines.release(name);
    return true;
  }

  /** First the instances, then the volumes: a volume without an instance costs money, too. */
  async list(clients: AwsClients, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const [stage = INSTANCES, token] = cursor?.split(' ') ?? [];
    if (stage === VOLUMES) return this.volumes.list(clients, tags, token ?? null);
    const { Reservations = [], NextToken } = await clients.ec2.describeInstances(
      pageRequest(KIND, tags, token ?? null),
    );
    const instances = Reservations.flatMap(({ Instances = [] }) => Instances);
    return {
      observed: instances.flatMap((one) => observedInstance(one, undefined) ?? []),
      next: NextToken ? `${INSTANCES} ${NextToken}` : VOLUMES,
    };
  }

  notVisibleYet() {
    return { private_ip: '', public_ip: null, zone: '', image_id: '' };
  }

  /** The earlier machine ends before the next one exists: otherwise both could act for the node. */
  private async retireEarlier(work: AwsWork, incarnation: number): Promise<void> {
    const known = work.id(INCARNATION);
    if (known !== null && Number(known) < incarnation) {
      // A search also finds an instance whose answer was lost.
      const tagged = await instancesOf(work.clients, filtersOf(work.tags.installation, KIND, work.key.name, KIND));
      await this.end(work, [...work.ids(KIND), ...tagged.map(({ InstanceId = '' }) => InstanceId)]);
      await this.volumes.retire(work);
    }
    if (known === null || Number(known) < incarnation) await work.note(INCARNATION, String(incarnation));
  }

  private async end(work: AwsWork, ids: readonly string[]): Promise<void> {
    for (const id of new Set(ids)) {
      await work.note(`${FORMER_INSTANCE} ${id}`, id);
      await ifThere(work.clients.ec2.terminateInstances({ InstanceIds: [id] }));
    }
    await work.drop(KIND);
    await this.instances.forget(work);
  }

  /** Does the next step towards a running instance of the size, with its volume. False: the node needs another instance. */
  private async bring(work: AwsWork, instance: Instance, spec: NodeResourceSpec): Promise<boolean> {
    if (!(await this.instances.bring(work, instance, spec))) return true;
    if (instance.State?.Name !== 'running' || isLocal(spec.storage.type)) return true;
    if (await this.volumes.attach(work, instance)) return true;
    // The user data of the instance names the volume, so another volume needs another instance.
    await this.volumes.forget(work);
    await this.end(work, work.ids(KIND));
    return false;
  }

  /** A caller asks for a node after it has looked at all of them, so AWS is seldom asked again. */
  private async one(work: AwsWork): Promise<Instance | null> {
    const id = work.id(KIND) ?? '';
    const seen = this.seen.get(id);
    this.seen.delete(id);
    if (seen && performance.now() - seen.at < SEEN_FOR_MS) return seen.instance;
    const [instance] = await instancesOf(work.clients, [{ Name: 'instance-id', Values: [id] }]);
    return instance ?? null;
  }

  private note(instances: readonly Instance[]): void {
    const at = performance.now();
    for (const [id, one] of this.seen) if (at - one.at >= SEEN_FOR_MS) this.seen.delete(id);
    for (const instance of instances) this.seen.set(instance.InstanceId ?? '', { instance, at });
  }
}

/** AWS accepts the end of an ended instance, and says which state it has. */
async function isEnded(call: Promise<TerminateInstancesResult>): Promise<boolean> {
  let states: (string | undefined)[] = [];
  const isAccepted = await isRemoved(
    call.then(({ TerminatingInstances = [] }) => {
      states = TerminatingInstances.map(({ CurrentState }) => CurrentState?.Name);
    }),
  );
  return isAccepted && states.every((state) => state === 'terminated');
}
