import type { MachineId, MachineShortage, NodeToPlace } from '@libs/domain';
import { statement } from '../../database.js';

/** Seconds without a status after which a machine gets no new nodes, and its nodes count as unreachable. */
export const MACHINE_SILENT_SECONDS = 60;

/** SQL: whether the machine `m` has not reported for a while. */
export const IS_SILENT = `(m.last_seen_at is null or m.last_seen_at < now() - interval '${MACHINE_SILENT_SECONDS} seconds')`;

/** Placements of a region wait for each other, so that two of them never take the same memory. */
export const LOCK_PLACEMENTS = statement(
  'machine_placement.lock',
  `select pg_advisory_xact_lock(hashtextextended('landlord.machines ' || $1 || ' ' || $2, 0))`,
);
/** SQL: what machines have left without the node $2 of the deployment $1. */
export const FREE = `
  select m.id, m.memory_mib - u.memory_mib as memory_mib, m.cpus - u.cpus as cpus, m.disk_gib - u.disk_gib as disk_gib,
         u.of_deployment, u.others, u.is_taken
    from machines m cross join lateral (
      select coalesce(sum(o.memory_mib), 0) as memory_mib, coalesce(sum(o.cpus), 0) as cpus, coalesce(sum(o.disk_gib), 0) as disk_gib,
             count(*) filter (where o.deployment_id = $1) as of_deployment,
             count(*) filter (where o.deployment_id <> $1) as others,
             coalesce(bool_or(o.is_dedicated and o.deployment_id <> $1), false) as is_taken
        from machine_nodes o where o.machine_id = m.id and o.name <> $2) u`;
/**
 * The machine with the fewest nodes of the deployment is the first, then the one with the most free memory. A machine that still
 * deletes an earlier incarnation of the node is not there: its document names each node once.
 */
export const CANDIDATES = statement(
  'machine_placement.candidates',
  `${FREE} where m.cell = $3 and m.region = $4 and m.zone = $5 and m.status = 'active' and m.reserved_for is null and not ${IS_SILENT}
      and not exists (select from machine_nodes l where l.machine_id = m.id and l.former_name = $2)
    order by u.of_deployment, m.memory_mib - u.memory_mib desc, m.id`,
);
/** The row of the machine is locked before the rows of its nodes, as by reports and removals. A removed machine takes no node. */
export const LOCK_MACHINE = statement(
  'machine_placement.lock_machine',
  `select id from machines where id = $1 and (status = 'active' or status = 'draining' and $2) for update`,
);
/** Publishes the next document of the machine. */
export const CHANGED = statement(
  'machine_placement.changed',
  `update machines set generation = generation + 1 where id = $1 returning pg_notify('landlord_machines', id::text)`,
);

/** What a machine has left. */
export interface Candidate {
  id: MachineId;
  memory_mib: number;
  cpus: number;
  disk_gib: number;
  of_deployment: number;
  others: number;
  is_taken: boolean;
}

/** What the machine has not enough of for the node. Null: it can take the node. */
export function shortageOf(
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
export const furthest = (shortages: readonly (MachineShortage | null)[]): MachineShortage =>
  ORDER.find((shortage) => shortages.includes(shortage)) ?? 'machines';
