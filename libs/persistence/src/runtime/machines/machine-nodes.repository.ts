import { Injectable } from '@nestjs/common';
import type { DeploymentId, DiskCopy, MachineId, MachineNodeStatus } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { MachineNode } from './entities/machine-node.entity.js';

/** A node in the document of its machine. */
export interface PlacedNode extends Pick<
  MachineNode,
  'node_id' | 'deployment_id' | 'incarnation' | 'intent' | 'broker' | 'memory_mib' | 'cpus' | 'disk_gib' | 'ports'
> {
  /** Of the open order with a disk. */
  copy: DiskCopy | null;
}

const LIST = statement(
  'machine_node.list',
  `select n.node_id, n.deployment_id, n.incarnation, n.intent, n.broker, n.memory_mib, n.cpus, n.disk_gib, n.ports,
          (select o.options -> 'disk' || jsonb_build_object('order', o.id) from node_orders o
            where o.node_id = n.node_id and n.intent = 'present' and o.kind = 'restore_data' and o.status = 'open'
              and o.options ? 'disk' order by o.id limit 1) as copy
     from machine_nodes n join machines m on m.id = n.machine_id
    where n.machine_id = $1 and m.status <> 'removed' order by n.node_id, n.name`,
);
// A report about another incarnation, or about a node of another machine, matches no row. The state `gone` removes a node only
// if Landlord wants the node absent. Otherwise the machine is about to start the node (again).
const RECORD = statement(
  'machine_node.record',
  `with said as materialized (
     select n.name, s.state, s.reason, s.state = 'gone' and n.intent = 'absent' as is_gone,
            coalesce(s.agent, n.agent_sha256) as agent, s.agent <> coalesce(n.agent_sha256, '') as has_other_agent
       from unnest($2::bigint[], $3::integer[], $4::text[], $5::text[], $6::text[])
         as s(node_id, incarnation, state, reason, agent)
       join machine_nodes n on n.node_id = s.node_id and n.incarnation = s.incarnation
       join machines m on m.id = n.machine_id
      where n.machine_id = $1 and m.status <> 'removed'
      order by n.name
        for no key update of n
   ), stored as (
     select name, is_gone, reason, agent, coalesce(has_other_agent, false) as has_other_agent,
            case when state = 'gone' then 'pending' else state end as state
       from said
   ), gone as (
     delete from machine_nodes n using stored s where n.name = s.name and n.machine_id = $1 and s.is_gone
     returning n.deployment_id
   ), changed as (
     update machine_nodes n
        set state = s.state, reason = s.reason, agent_sha256 = s.agent,
            agent_since = case when s.has_other_agent then now() else n.agent_since end,
            agent_unheard_seconds = case when s.has_other_agent then 0 else n.agent_unheard_seconds end
       from stored s
      where n.name = s.name and n.machine_id = $1 and not s.is_gone
        and (s.has_other_agent or (n.state, n.reason) is distinct from (s.state, s.reason))
     returning n.deployment_id
   ), published as (
     update machines set generation = generation + 1
      where id = $1 and status <> 'removed' and exists (select from gone)
     returning pg_notify('landlord_machines', id::text)
   )
   select deployment_id from gone union select deployment_id from changed`,
);

/** The nodes that are placed on machines. */
@Injectable()
export class MachineNodesRepository {
  constructor(private readonly database: Database) {}

  /** The nodes of the machine in a stable order. Empty for a removed machine. */
  async list(machineId: MachineId): Promise<PlacedNode[]> {
    return this.database.query<PlacedNode>(LIST, [machineId]);
  }

  /**
   * Stores the states of nodes of this machine, and removes the nodes that are gone. Call it after MachinesRepository.record in one
   * transaction: everybody locks a machine before its nodes. Returns the deployments of the changed nodes.
   */
  async record(machineId: MachineId, nodes: readonly MachineNodeStatus[]): Promise<DeploymentId[]> {
    if (nodes.length === 0) return [];
    const rows = await this.database.query<Pick<MachineNode, 'deployment_id'>>(RECORD, [
      machineId,
      nodes.map(({ node_id }) => node_id),
      nodes.map(({ incarnation }) => incarnation),
      nodes.map(({ state }) => state),
      nodes.map(({ reason }) => reason ?? null),
      nodes.map(({ agent_sha256 }) => agent_sha256 ?? null),
    ]);
    return rows.map(({ deployment_id }) => deployment_id);
  }
}
