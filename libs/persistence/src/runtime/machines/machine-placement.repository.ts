import type { MachineId, MachineShortage, NodeToPlace, PlacedNode } from '@libs/domain';
import { statement, Database } from '../../database.js';

/** Seconds without a status after which a machine gets no new nodes, and its nodes count as unreachable. */
export const MACHINE_SILENT_SECONDS = 60;

const IS_SILENT = `(m.last_seen_at is null or m.last_seen_at < now() - interval '${MACHINE_SILENT_SECONDS} seconds')`;
const NODE = `n.name, n.node_id, n.deployment_id, n.intent, n.state, n.reason, n.machine_id, m.hostname, m.address, m.zone,
  ${IS_SILENT} as is_silent`;

// Placements of a region wait for each other, so that two of them never take the same memory.
const LOCK = statement(
  'machine_placement.lock',
  `select pg_advisory_xact_lock(hashtextextended('landlord.machines ' || $1 || ' ' || $2, 0))`,
);
/** What machines have left without the node $2 of the deployment $1. */
const FREE = `
  select m.id, m.memory_mib - u.memory_mib as memory_mib, m.cpus - u.cpus as cpus, m.disk_gib - u.disk_gib as disk_gib,
         u.of_deployment, u.others, u.is_taken
    from machines m cross join lateral (
      select coalesce(sum(o.memory_mib), 0) as memory_mib, coalesce(sum(o.cpus), 0) as cpus, coalesce(sum(o.disk_gib), 0) as disk_gib,
             count(*) filter (where o.deployment_id = $1) as of_deployment,
             count(*) filter (where o.deployment_id <> $1) as others,
             coalesce(bool_or(o.is_dedicated and o.deployment_id <> $1), false) as is_taken
        from machine_nodes o where o.machine_id = m.id and o.name <> $2) u`;
// The machine with the fewest nodes of the deployment is the first, then the one with the most free memory.
const CANDIDATES = statement(
  'machine_placement.candidates',
  `${FREE} where m.cell = $3 and m.region = $4 and m.zone = $5 and m.status = 'active' and not ${IS_SILENT}
    order by u.of_deployment, m.memory_mib - u.memory_mib desc, m.id`,
);
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
// The row of the machine is locked before the rows of its nodes, as by reports and removals. A removed machine takes no node.
const LOCK_MACHINE = statement(
  'machine_placement.lock_machine',
  `select id from machines where id = $1 and (status = 'active' or status = 'draining' and $2) for update`,
);
const CHANGED = statement(
  'machine_placement.changed',
  `update machines set generation = generation + 1 where id = $1 returning pg_notify('landlord_machines', id::text)`,
);
const NODES = statement(
  'machine_placement.nodes',
  `select ${NODE} from machine_nodes n join machines m on m.id = n.machine_id where n.name = any($1::text[])`,
);
const SIZE_OF = statement(
  'machine_placement.size_of',
  `select n.machine_id, n.deployment_id, n.memory_mib, n.cpus, n.disk_gib, n.is_dedicated, m.region, m.zone
     from machine_nodes n join machines m on m.id = n.machine_id where n.name = $1`,
);
type PlacedSize = Omit<NodeToPlace, 'name' | 'node_id' | 'incarnation' | 'broker' | 'ports'> & {
  machine_id: MachineId;
};
interface Candidate {
  id: MachineId;
  memory_mib: number;
  cpus: number;
  disk_gib: number;
  of_deployment: number;
  others: number;
  is_taken: boolean;
}

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
      await this.database.query(LOCK, [this.cell, node.region]);
      const [held] = await this.nodes([node.name]);
      if (held?.intent === 'absent') return held;
      const shortage = held ? await this.bring(node) : await this.putOnMachine(node);
      return shortage ?? ((await this.nodes([node.name]))[0] as PlacedNode);
    });
  }

  async nodes(names: readonly string[]): Promise<PlacedNode[]> {
    return this.database.query<PlacedNode>(NODES, [names]);
  }

  /** Whether another machine of the node's zone could take the node now. */
  async hasRoomElsewhere(name: string): Promise<boolean> {
    const [node] = await this.database.query<PlacedSize>(SIZE_OF, [name]);
    if (!node) return false;
    const { machine_id, deployment_id, region, zone } = node;
    const machines = await this.database.query<Candidate>(CANDIDATES, [deployment_id, name, this.cell, region, zone]);
    return machines.some((candidate) => candidate.id !== machine_id && shortageOf(node, candidate) === null);
  }

  /** The machine is to remove the node. Its row goes when the machine has reported that nothing is left. */
  async removeNode(name: string): Promise<void> {
    await this.database.transaction(async () => {
      const [home] = await this.database.query<{ machine_id: MachineId }>(HOME_OF, [name]);
      if (!home || !(await this.lock(home.machine_id, 'also draining'))) return;
      if ((await this.database.execute(REMOVE, [name])) > 0) await this.database.query(CHANGED, [home.machine_id]);
    });
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

function shortageOf(
  node: Pick<NodeToPlace, 'memory_mib' | 'cpus' | 'disk_gib' | 'is_dedicated'>,
  machine: Candidate,
): MachineShortage | null {
  if (machine.is_taken || (node.is_dedicated && machine.others > 0)) return 'empty machines';
  if (machine.memory_mib < node.memory_mib) return 'memory';
  if (machine.cpus < node.cpus) return 'processors';
  return machine.disk_gib < node.disk_gib ? 'disk' : null;
}

const ORDER: readonly MachineShortage[] = ['disk', 'processors', 'memory', 'empty machines'];

/** The shortage of the machine that could almost take the node. */
const furthest = (shortages: readonly (MachineShortage | null)[]): MachineShortage =>
  ORDER.find((shortage) => shortages.includes(shortage)) ?? 'machines';
