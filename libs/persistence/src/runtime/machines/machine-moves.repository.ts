import { Injectable } from '@nestjs/common';
import type { DeploymentId, MachineId, MachineShortage, NodeId, OperationId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { MachineNode } from './entities/machine-node.entity.js';
import type { Machine } from './entities/machine.entity.js';
import {
  CANDIDATES,
  CHANGED,
  furthest,
  LOCK_MACHINE,
  LOCK_PLACEMENTS,
  shortageOf,
  type Candidate,
} from './machine-capacity.js';

/** The machine of a node. */
export interface NodeHomeRow extends Pick<MachineNode, 'name' | 'machine_id' | 'incarnation' | 'intent'> {
  machine_status: Machine['status'];
}

type SizedNode = Pick<
  MachineNode,
  'name' | 'machine_id' | 'memory_mib' | 'cpus' | 'disk_gib' | 'is_dedicated' | 'intent'
> & { deployment_id: DeploymentId; cell: string; region: string; zone: string };

const HOME = statement(
  'machine_move.home',
  `select n.name, n.machine_id, n.incarnation, n.intent, m.status as machine_status
     from machine_nodes n join machines m on m.id = n.machine_id where n.node_id = $1 and n.former_name is null`,
);
const SIZE = statement(
  'machine_move.size',
  `select n.name, n.machine_id, n.deployment_id, n.memory_mib, n.cpus, n.disk_gib, n.is_dedicated, n.intent, m.cell, m.region, m.zone
     from machine_nodes n join machines m on m.id = n.machine_id where n.node_id = $1 and n.former_name is null`,
);
// The former machine finds its node by id and incarnation. The name belongs to the node on its next machine.
const LEAVE = statement(
  'machine_move.leave',
  `update machine_nodes set name = name || ' on ' || machine_id || ' as ' || incarnation, former_name = name, intent = 'absent'
    where name = $1 and machine_id = $2 and intent = 'present' returning name`,
);
const ARRIVE = statement(
  'machine_move.arrive',
  `insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports, is_dedicated)
   select n.former_name, n.node_id, n.deployment_id, $2, node.epoch + 1, n.broker, n.memory_mib, n.cpus, n.disk_gib, n.ports, n.is_dedicated
     from machine_nodes n join nodes node on node.id = n.node_id where n.name = $1`,
);
const OTHER_WORK = statement(
  'machine_move.other_work',
  `select exists (select from operations where deployment_id = $1 and id <> $2 and status in ('pending', 'running')) as exists`,
);
// Ten minutes after the first failure, then twice as long each time, up to six hours.
const NOTE_FAILURE = statement(
  'machine_move.note_failure',
  `update machine_nodes
      set failed_moves = failed_moves + 1, move_error = $2,
          move_due_at = now() + least(interval '6 hours', interval '10 minutes' * 2 ^ least(failed_moves, 10))
    where node_id = $1 and former_name is null`,
);

/** Moves of nodes between machines. */
@Injectable()
export class MachineMovesRepository {
  constructor(private readonly database: Database) {}

  /** The machine of the node. Null: no machine has the node. What a move has left elsewhere does not count. */
  async home(nodeId: NodeId): Promise<NodeHomeRow | null> {
    return (await this.database.query<NodeHomeRow>(HOME, [nodeId]))[0] ?? null;
  }

  /** What no other machine of the zone has enough of for the node now. Null: another machine could take the node. */
  async shortageElsewhere(nodeId: NodeId): Promise<MachineShortage | null> {
    const node = await this.sizeOf(nodeId);
    if (!node) return 'machines';
    const choice = await this.elsewhere(node);
    return choice.machines.length > 0 ? null : choice.shortage;
  }

  /**
   * Places the next incarnation of the node on another machine of its zone, and lets its machine remove this one. Returns what is
   * short when no other machine can take the node; then nothing changes. Runs in the transaction of the caller, which must give the
   * node its next epoch.
   */
  async moveElsewhere(nodeId: NodeId): Promise<MachineShortage | null> {
    const placed = await this.sizeOf(nodeId);
    if (!placed) return 'machines';
    await this.database.query(LOCK_PLACEMENTS, [placed.cell, placed.region]);
    const { machines, shortage } = await this.elsewhere(placed);
    if (!(await this.lock(placed.machine_id, 'also draining'))) return 'machines';
    for (const { id } of machines) {
      // An operator can remove or drain a machine at this moment.
      if (!(await this.lock(id, 'active'))) continue;
      const [departed] = await this.database.query<{ name: string }>(LEAVE, [placed.name, placed.machine_id]);
      if (!departed) return 'machines';
      await this.database.execute(ARRIVE, [departed.name, id]);
      for (const changed of [placed.machine_id, id]) await this.database.query(CHANGED, [changed]);
      return null;
    }
    return shortage;
  }

  /** Whether another operation of the deployment is open, also one that changes nothing, such as a backup. */
  async hasOtherWork(deploymentId: DeploymentId, operationId: OperationId): Promise<boolean> {
    const [row] = await this.database.query<{ exists: boolean }>(OTHER_WORK, [deploymentId, operationId]);
    return row?.exists ?? false;
  }

  /** The move of the node has failed. The next one waits longer after each failure. */
  async noteFailure(nodeId: NodeId, reason: string): Promise<void> {
    await this.database.execute(NOTE_FAILURE, [nodeId, reason]);
  }

  private async sizeOf(nodeId: NodeId): Promise<SizedNode | undefined> {
    return (await this.database.query<SizedNode>(SIZE, [nodeId]))[0];
  }

  /** The other machines of the zone that could take the node, and what the best of the others has not enough of. */
  private async elsewhere(node: SizedNode): Promise<{ machines: Candidate[]; shortage: MachineShortage }> {
    const { machine_id, deployment_id, name, cell, region, zone } = node;
    const all = await this.database.query<Candidate>(CANDIDATES, [deployment_id, name, cell, region, zone]);
    const others = all.filter(({ id }) => id !== machine_id);
    const shortages = others.map((machine) => shortageOf(node, machine));
    return { machines: others.filter((_, index) => shortages[index] === null), shortage: furthest(shortages) };
  }

  private async lock(id: MachineId, status: 'active' | 'also draining'): Promise<boolean> {
    return (await this.database.query(LOCK_MACHINE, [id, status === 'also draining'])).length > 0;
  }
}
