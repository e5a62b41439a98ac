import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import {
  MachinesProvider,
  type Resource,
  type ResourceKind,
  type ResourceRef,
  type ResourceSpecs,
  type ResourceTags,
} from '@libs/cloud';
import type { MachineId } from '@libs/domain';
import { MachinePlacementRepository, MachineResourcesRepository } from '@libs/persistence/runtime';
import { FakeCloud, type WorkflowBench } from '@libs/testing';
import { moveObjects } from '../src/platform/stored-objects.js';
import { joinedMachine } from './joined-machine.fixture.js';
import { LifecycleFixture } from './lifecycle.fixture.js';

interface PlacedRow {
  machine: string;
  intent: string;
  incarnation: number;
}

/** A cloud in memory whose nodes are on machines. */
class CloudWithMachines extends FakeCloud {
  private readonly machines: MachinesProvider;

  constructor({ database }: WorkflowBench, cell: string) {
    super('machines');
    const placement = new MachinePlacementRepository(database, cell);
    this.machines = new MachinesProvider(placement, new MachineResourcesRepository(database), 'test');
  }

  override async ensure<K extends ResourceKind>(
    kind: K,
    ref: ResourceRef,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
  ): Promise<Resource<K>> {
    if (kind !== 'node') return super.ensure(kind, ref, spec, tags);
    const node = await this.machines.ensure(kind, ref, spec, tags);
    this.resources.set(node.name, node);
    return node;
  }

  override async describe<K extends ResourceKind>(
    kind: K,
    refs: readonly ResourceRef[],
  ): Promise<Map<string, Resource<K>>> {
    return kind === 'node' ? this.machines.describe(kind, refs) : super.describe(kind, refs);
  }

  override async destroy(kind: ResourceKind, ref: ResourceRef): Promise<void> {
    await (kind === 'node' ? this.machines.destroy(kind, ref) : super.destroy(kind, ref));
  }
}

/** A deployment whose first node is on a draining machine, with another machine in the zone, and the operation that moves the node. */
export class MovingFixture {
  /** The kinds of orders that nodes have executed, in this order. */
  readonly orders: string[] = [];
  /** Whether a broker was allowed to run while its node had no data. */
  hasServedEmpty = false;
  /** No agent reports or executes orders. */
  areAgentsAway = false;
  private incarnationWithData = 1;

  private constructor(
    readonly lifecycle: LifecycleFixture,
    readonly operation: number,
    readonly node: number,
    private readonly place: { cell: string; region: string; zone: string },
  ) {}

  static async begin(bench: WorkflowBench, nodes = 1): Promise<MovingFixture> {
    const place = { cell: randomUUID(), region: 'us-east-1', zone: 'us-east-1a' };
    const old = await joinedMachine(bench, { ...place, hostname: 'old' });
    const lifecycle = await LifecycleFixture.serving(bench, nodes, {}, new CloudWithMachines(bench, place.cell));
    await bench.rows(`update machines set status = 'draining' where id = $1`, [old]);
    await joinedMachine(bench, { ...place, hostname: 'new' });
    const [row] = await bench.rows<{ id: string }>('select id from nodes where deployment_id = $1 and ordinal = 1', [
      lifecycle.deploymentId,
    ]);
    const node = Number(row?.id);
    const operation = await lifecycle.start('move_node', { node_id: node, machine_id: old });
    return new MovingFixture(lifecycle, operation, node, place);
  }

  join(hostname: string): Promise<MachineId> {
    return joinedMachine(this.lifecycle.bench, { ...this.place, hostname });
  }

  /** Removes a machine, like the operator's command. Its agents have used their tokens. */
  async remove(hostname: string): Promise<void> {
    const { bench } = this.lifecycle;
    const machines = 'select id from machines where cell = $1 and hostname = $2';
    await bench.rows(`update nodes set credential_hash = '\\x01' where id = $1`, [this.node]);
    await bench.rows(`delete from machine_nodes where machine_id in (${machines})`, [this.place.cell, hostname]);
    await bench.rows(`update machines set status = 'removed' where id in (${machines})`, [this.place.cell, hostname]);
  }

  /** The machine reports that nothing is left of its nodes that must be absent. */
  async hasDeletedNodes(hostname: string): Promise<void> {
    await this.lifecycle.bench.rows(
      `delete from machine_nodes where intent = 'absent'
          and machine_id in (select id from machines where cell = $1 and hostname = $2)`,
      [this.place.cell, hostname],
    );
  }

  async changeMachine(hostname: string, change: string): Promise<void> {
    await this.lifecycle.bench.rows(`update machines set ${change} where cell = $1 and hostname = $2`, [
      this.place.cell,
      hostname,
    ]);
  }

  /** The rows of the node on machines, the newest last. */
  placed(): Promise<PlacedRow[]> {
    return this.lifecycle.bench.rows<PlacedRow>(
      `select m.hostname as machine, n.intent, n.incarnation from machine_nodes n join machines m on m.id = n.machine_id
        where n.node_id = $1 order by n.incarnation`,
      [this.node],
    );
  }

  /** Whether a broker may run now although its node has no data is recorded. */
  async look(): Promise<void> {
    const { epoch, isHeld } = await this.seen();
    if (!isHeld && epoch !== this.incarnationWithData) this.hasServedEmpty = true;
  }

  /** Plays the agents: executes orders and reports. */
  async world(): Promise<void> {
    await this.look();
    if (this.areAgentsAway) return;
    const { bench, deploymentId } = this.lifecycle;
    const { epoch } = await this.seen();
    const open = await bench.rows<{ kind: string }>(
      `select o.kind from node_orders o join nodes n on n.id = o.node_id where n.deployment_id = $1 and o.status = 'open'`,
      [deploymentId],
    );
    await this.lifecycle.agentsReport();
    for (const { kind } of open) this.orders.push(kind);
    if (open.some(({ kind }) => kind === 'restore_data')) this.incarnationWithData = epoch;
  }

  private async seen(): Promise<{ epoch: number; isHeld: boolean }> {
    const [row] = await this.lifecycle.bench.rows<{ epoch: number; isHeld: boolean }>(
      'select epoch, held_at is not null as "isHeld" from nodes where id = $1',
      [this.node],
    );
    return row ?? { epoch: 0, isHeld: true };
  }

  /** The archives of the move in the object store. */
  async archives(): Promise<string[]> {
    const { objects, deploymentId } = this.lifecycle;
    return readdir(`${objects}/objects/${moveObjects(deploymentId, this.operation)}`).catch(() => []);
  }

  /** What the deployment shows after the operation, and what the nodes still have to do. */
  async state(): Promise<object> {
    const { bench, deploymentId } = this.lifecycle;
    const [row] = await bench.rows<object>(
      `select r.status, r.status_reason as reason,
              (select count(*)::int from nodes where deployment_id = $1 and held_at is not null) as held,
              (select count(*)::int from node_orders o join nodes n on n.id = o.node_id where n.deployment_id = $1) as orders
         from deployment_runtimes r where r.deployment_id = $1`,
      [deploymentId],
    );
    return row ?? {};
  }
}
