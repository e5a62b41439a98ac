import type { MachineId, MachineShortage, NodeToPlace, PlacedNode } from '@libs/domain';
import { statement, Database } from '../../database.js';
import {
  CANDIDATES,
  CHANGED,
  FREE,
  furthest,
  IS_SILENT,
  LOCK_MACHINE,
  LOCK_PLACEMENTS,
  shortageOf,
  type Candidate,
} from './machine-capacity.js';

const NODE = `coalesce(n.former_name, n.name) as name, n.node_id, n.deployment_id, n.intent, n.state, n.reason, n.machine_id, m.hostname, m.address, m.zone,
  ${IS_SILENT} as is_silent`;

// The machine of the node, and whether the node has its size already.
const HOME = statement(
  'machine_placement.home',
  `select f.*, h.memory_mib >= $3 and h.cpus >= $4 and h.disk_gib >= $5 as is_large_enough
     from machine_nodes h join (${FREE}) f on f.id = h.machine_id where h.name = $2`,
);
const INSERT = statement(
  'machine_placement.insert',
  `insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports, is_dedicated)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
// A higher incarnation is another node on the same machine: its state is unknown until the machine reports it.
const UPDATE = statement(
  'machine_placement.update',
  `update machine_nodes
      set incarnation = greatest(incarnation, $2), memory_mib = $3, cpus = $4, disk_gib = $5, ports = $6,
          state = case when incarnation < $2 then 'pending' else state end, reason = case when incarnation < $2 then null else reason end
    where name = $1 and intent = 'present'
      and (incarnation < $2 or memory_mib <> $3 or cpus <> $4 or disk_gib <> $5 or ports <> $6)
   returning machine_id`,
);
const REMOVE = statement(
  'machine_placement.remove',
  `update machine_nodes set intent = 'absent' where name = $1 and intent = 'present'`,
);
const HOME_OF = statement(
  'machine_placement.home_of',
  `select machine_id from machine_nodes where name = $1 and intent = 'present'`,
);
// With $2, what is left of a node on its former machine stands for the node when there is no other row of it.
const NODES = statement(
  'machine_placement.nodes',
  `select ${NODE} from machine_nodes n join machines m on m.id = n.machine_id
    where n.name = any($1::text[])
       or ($2 and n.former_name = any($1::text[]) and not exists (select from machine_nodes l where l.name = n.former_name))`,
);

/** The nodes on the machines of a cell. */
export class MachinePlacementRepository {
  constructor(
    private readonly database: Database,
    private readonly cell: string,
  ) {}

  /**
   * Places the node, or updates the node on its machine. A node keeps its machine. Concurrent calls never give a machine more
   * than it has. Returns what is short when no machine can take the node.
   */
  async place(node: NodeToPlace): Promise<PlacedNode | MachineShortage> {
    return this.database.transaction(async () => {
      await this.database.query(LOCK_PLACEMENTS, [this.cell, node.region]);
      const placement = await this.find(node.name);
      if (placement?.intent === 'absent') return placement;
      const shortage = placement ? await this.bring(node) : await this.putOnMachine(node);
      return shortage ?? ((await this.find(node.name)) as PlacedNode);
    });
  }

  /** A node that is gone from its machine, but not yet from a former one, is `absent`. */
  async nodes(names: readonly string[]): Promise<PlacedNode[]> {
    return this.database.query<PlacedNode>(NODES, [names, true]);
  }

  /** The machine is to remove the node. Its row goes when the machine has reported that nothing is left. */
  async removeNode(name: string): Promise<void> {
    await this.database.transaction(async () => {
      const [home] = await this.database.query<{ machine_id: MachineId }>(HOME_OF, [name]);
      if (!home || !(await this.lock(home.machine_id, 'also draining'))) return;
      if ((await this.database.execute(REMOVE, [name])) > 0) await this.database.query(CHANGED, [home.machine_id]);
    });
  }

  private async find(name: string): Promise<PlacedNode | undefined> {
    return (await this.database.query<PlacedNode>(NODES, [[name], false]))[0];
  }

  private async putOnMachine(node: NodeToPlace): Promise<MachineShortage | null> {
    const { name, node_id, deployment_id, incarnation, broker, memory_mib, cpus, disk_gib, ports, is_dedicated } = node;
    const machines = await this.database.query<Candidate>(CANDIDATES, [
      ...[deployment_id, name, this.cell, node.region, node.zone],
    ]);
    const fitting = machines.filter((candidate) => shortageOf(node, candidate) === null);
    // An operator can remove or drain a machine at this moment.
    const machine = await this.firstLocked(fitting);
    if (!machine) return furthest(machines.map((candidate) => shortageOf(node, candidate)));
    await this.database.execute(INSERT, [
      ...[
        name,
        node_id,
        deployment_id,
        machine.id,
        incarnation,
        broker,
        memory_mib,
        cpus,
        disk_gib,
        ports,
        is_dedicated,
      ],
    ]);
    await this.database.query(CHANGED, [machine.id]);
    return null;
  }

  private async firstLocked(machines: readonly Candidate[]): Promise<Candidate | null> {
    for (const machine of machines) if (await this.lock(machine.id, 'active')) return machine;
    return null;
  }

  /** Whether the machine exists and has the status. Its row stays locked. */
  private async lock(id: MachineId, status: 'active' | 'also draining'): Promise<boolean> {
    return (await this.database.query(LOCK_MACHINE, [id, status === 'also draining'])).length > 0;
  }

  /** Gives the node its new size, if its machine has room for it. A machine that has less than before keeps its nodes. */
  private async bring(node: NodeToPlace): Promise<MachineShortage | null> {
    const { name, deployment_id, incarnation, memory_mib, cpus, disk_gib, ports } = node;
    const [home] = await this.database.query<Candidate & { is_large_enough: boolean }>(HOME, [
      ...[deployment_id, name, memory_mib, cpus, disk_gib],
    ]);
    if (!home) return 'machines';
    const shortage = home.is_large_enough ? null : shortageOf({ ...node, is_dedicated: false }, home);
    if (shortage !== null) return shortage;
    if (!(await this.lock(home.id, 'also draining'))) return 'machines';
    const [changed] = await this.database.query<{ machine_id: MachineId }>(UPDATE, [
      ...[name, incarnation, memory_mib, cpus, disk_gib, ports],
    ]);
    if (changed) await this.database.query(CHANGED, [changed.machine_id]);
    return null;
  }
}
