import type { InventoryTags } from '../../cloud-provider.js';
import type { Page, Observed } from '../../driver/driver-kind.js';
import type { Remembered } from '../../driver/driver-memory.js';
import { nodeToPlace } from '../../driver/reserved-machines.js';
import type { ResourceAttributes } from '../../resource-attributes.js';
import type { NodeResourceSpec } from '../../resource-specs.js';
import type { GcpApi } from '../gcp-api.js';
import {
  filterOfAll,
  ownedOf,
  resourcesOf,
  observedByName,
  type GcpKind,
  type RememberedResource,
} from '../gcp-kind.js';
import { baseName, zoneName } from '../gcp-names.js';
import type { GcpDisk, GcpInstance } from '../gcp-shapes.js';
import { isRunning, type GcpWork } from '../gcp-work.js';
import { DISK, DISKS, hasDisk, NodeDisks } from './node-disks.js';
import { instanceName, NodeInstances } from './node-instances.js';
import type { GcpNodeSettings } from './node-settings.js';
import { observedInstance } from './observed-instance.js';

const KIND = 'node';
const INCARNATION = 'incarnation';
/** The first stage of the inventory. */
const INSTANCES = 'instances';

/** An instance with its data disk. It joins as the machine of the node, and the machine agent starts the node. */
export class GcpNodes implements GcpKind<typeof KIND> {
  readonly pollAfterMs = 3_000;
  readonly forgetsEnded = true;
  private readonly disks = new NodeDisks();
  private readonly instances: NodeInstances;

  constructor(private readonly settings: GcpNodeSettings) {
    this.instances = new NodeInstances(settings, this.disks);
  }

  async build(work: GcpWork, spec: NodeResourceSpec): Promise<void> {
    if (!(await this.retireEarlier(work, spec.incarnation)) || !(await this.instances.settled(work))) return;
    const path = work.id(KIND);
    if (path === null) return this.launch(work, spec);
    const instance = await work.api.find<GcpInstance>(path);
    // An instance that has ended is not created again: another one has a higher incarnation.
    if (instance) await this.maintain(work, instance, spec);
  }

  async look(api: GcpApi, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<typeof KIND>>> {
    const resources = await resourcesOf<GcpInstance>(api, memories, KIND);
    const machines = await this.settings.machines.find(resources.map(({ owner }) => owner.name));
    const lost = await lostDisks(api, resources);
    return observedByName(resources, ({ owner, path, resource: instance, memory }) => {
      const node = { known: memory, machine: machines.get(owner.name), isDiskLost: lost.has(path) };
      return observedInstance(owner, path, instance, node);
    });
  }

  /** The disk follows its instance. */
  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const paths = await this.paths(work, installation);
    for (const path of paths) await work.api.find(path);
    await work.startDeletion();
    let isGone = true;
    for (const path of paths) isGone = (await work.discard(KIND, path)) && isGone;
    if (!isGone || !(await this.disks.removeAll(work, installation))) return false;
    await this.settings.machines.release(work.key.name);
    return true;
  }

  /** First the instances, then the disks: a disk without an instance costs money, too. */
  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const [stage = INSTANCES, token] = cursor?.split(' ') ?? [];
    if (stage === DISKS) return this.disks.list(api, tags, token ?? null);
    const { items, next } = await api.listInZones<GcpInstance>('instances', filterOfAll(tags), token ?? null);
    const observed = ownedOf(KIND, tags, items).flatMap(({ owner, one }) => {
      const path = `${api.zonal(baseName(one.zone ?? ''))}/instances/${one.name}`;
      return observedInstance(owner, path, one, undefined) ?? [];
    });
    return { observed, next: next === null ? DISKS : `${INSTANCES} ${next}` };
  }

  notVisibleYet(): ResourceAttributes[typeof KIND] {
    return { private_ip: '', public_ip: null, zone: '', image_id: '' };
  }

  private async launch(work: GcpWork, spec: NodeResourceSpec): Promise<void> {
    const zone = zoneName(work.api.at.region, spec.zone);
    const machineType = this.instances.typeFor(work, spec, zone);
    const node = nodeToPlace(work.key.name, work.tags, spec);
    await this.instances.launch(work, { spec, node, zone, machineType });
  }

  /** Does the next step towards a running instance of the size, with its disk. */
  private async maintain(work: GcpWork, instance: GcpInstance, spec: NodeResourceSpec): Promise<void> {
    if (!(await this.disks.grow(work, spec.storage.size_gib))) return;
    await this.settings.machines.update(nodeToPlace(work.key.name, work.tags, spec));
    if (await this.instances.bring(work, instance, spec)) await this.disks.attach(work, instance);
  }

  /** The earlier machine ends before the next one exists: otherwise both could act for the node. True: it has ended. */
  private async retireEarlier(work: GcpWork, incarnation: number): Promise<boolean> {
    const notedIncarnation = work.id(INCARNATION);
    if (notedIncarnation !== null && Number(notedIncarnation) >= incarnation) return true;
    if (notedIncarnation !== null) {
      const { installation } = work.tags;
      for (const path of await this.paths(work, installation)) if (!(await work.discard(KIND, path))) return false;
      if (!(await this.disks.removeAll(work, installation))) return false;
      await this.instances.forget(work);
    }
    await work.note(INCARNATION, String(incarnation));
    return true;
  }

  /** Where the instance is. An instance whose creation was begun can be in any zone. */
  private async paths(work: GcpWork, installation: string): Promise<string[]> {
    const instancePath = work.id(KIND);
    if (instancePath !== null) return [instancePath];
    const { api } = work;
    const filter = `(name = "${instanceName(installation, work.key.name)}")`;
    const { items } = await api.listInZones<GcpInstance>('instances', filter);
    return items.map(({ name, zone = '' }) => `${api.zonal(baseName(zone))}/instances/${name}`);
  }
}

/** The instances whose data disk Google does not have any more. Google is asked only about disks that are missing at their instance. */
async function lostDisks(api: GcpApi, resources: readonly RememberedResource<GcpInstance>[]): Promise<Set<string>> {
  const missing = resources.flatMap(({ path, resource: instance, memory }) => {
    const disk = memory.parts.get(DISK)?.id;
    return instance && disk && !hasDisk(instance, disk) && !isRunning(memory) ? [[disk, path] as const] : [];
  });
  const disks = await api.findAll<GcpDisk>(missing.map(([disk]) => disk));
  return new Set(missing.filter(([disk]) => !disks.has(disk)).map(([, path]) => path));
}
