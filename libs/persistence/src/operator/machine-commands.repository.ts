import { Injectable } from '@nestjs/common';
import type { DeploymentId, MachineId } from '@libs/domain';
import { IsNull, Not } from 'typeorm';
import { statement, Database } from '../database.js';
import type { Deployment } from '../organization/entities/deployment.entity.js';
import type { Machine } from '../runtime/machines/entities/machine.entity.js';
import { MachineNode } from '../runtime/machines/entities/machine-node.entity.js';
import type { MachineToken } from '../runtime/machines/entities/machine-token.entity.js';
import { OBSTACLE } from '../runtime/machines/obstacle.js';
import { HAS_ONLY_COPY } from '../runtime/machines/only-copy.js';
import type { Node } from '../runtime/nodes/entities/node.entity.js';

/** The node that a machine was made for. No other node is placed there. */
export interface ReservedFor {
  /** The name of the node at the cloud. */
  name: string;
  /** Null: the node no longer exists. */
  node: Node['name'] | null;
  deployment_id: DeploymentId | null;
  deployment: Deployment['name'] | null;
}

/** A machine as operator commands show it. */
export interface OperatorMachine extends Pick<
  Machine,
  | 'id'
  | 'cell'
  | 'region'
  | 'zone'
  | 'hostname'
  | 'address'
  | 'processor'
  | 'cpus'
  | 'memory_mib'
  | 'disk_gib'
  | 'status'
  | 'agent_version'
  | 'agent_sha256'
  | 'agent_refusal'
  | 'generation'
  | 'observed_generation'
  | 'joined_at'
  | 'last_seen_at'
  | 'removed_at'
> {
  nodes: number;
  /** What the placed nodes may use in all. */
  placed_memory_mib: number;
  placed_disk_gib: number;
  /** Null: the machine takes every node. */
  reserved_for: ReservedFor | null;
}

/** A node on a machine. */
export interface NodeOnMachine
  extends
    Pick<MachineNode, 'node_id' | 'deployment_id' | 'broker' | 'intent' | 'state'>,
    Pick<Node, 'name' | 'status'> {
  deployment: Deployment['name'];
  /** No node outside of the machine is certain to have the data of the deployment. */
  has_only_copy: boolean;
  /** Why the node cannot leave a draining machine now, apart from the capacity of other machines. Null: no such reason. */
  obstacle: string | null;
}

export type NewMachineToken = Pick<MachineToken, 'cell' | 'region' | 'zone' | 'secret_hash'> & { minutes: number };
export type IssuedToken = Pick<MachineToken, 'id' | 'expires_at'>;

const LIST = statement(
  'operator.machines',
  `select m.id, m.cell, m.region, m.zone, m.hostname, m.address, m.processor, m.cpus, m.memory_mib, m.disk_gib, m.status,
          m.agent_version, m.agent_sha256, m.agent_refusal, m.generation, m.observed_generation, m.joined_at, m.last_seen_at, m.removed_at,
          count(n.name)::int as nodes, coalesce(sum(n.memory_mib), 0)::int as placed_memory_mib,
          coalesce(sum(n.disk_gib), 0)::int as placed_disk_gib,
          (select jsonb_build_object('name', m.reserved_for, 'node', node.name, 'deployment_id', d.id, 'deployment', d.name)
             from (select 1) one
             left join machine_reservations r on r.name = m.reserved_for
             left join nodes node on node.id = (r.node ->> 'node_id')::bigint
             left join deployments d on d.id = node.deployment_id
            where m.reserved_for is not null) as reserved_for
     from machines m left join machine_nodes n on n.machine_id = m.id
    where ($1::bigint is null or m.id = $1) and ($2 or m.status <> 'removed')
    group by m.id order by m.id`,
);
const NODES = statement(
  'operator.machine_nodes',
  `select n.node_id, n.deployment_id, d.name as deployment, node.name, n.broker, n.intent, n.state, node.status,
          ${HAS_ONLY_COPY} as has_only_copy, case when m.status = 'draining' and n.intent = 'present' then ${OBSTACLE} end as obstacle
     from machine_nodes n
     join machines m on m.id = n.machine_id
     join nodes node on node.id = n.node_id
     join deployment_runtimes r on r.deployment_id = n.deployment_id
     join deployments d on d.id = n.deployment_id
    where n.machine_id = $1 order by n.deployment_id, node.ordinal`,
);
const INSERT_TOKEN = statement(
  'operator.insert_machine_token',
  `insert into machine_tokens (cell, region, zone, secret_hash, expires_at)
   values ($1, $2, $3, $4, now() + make_interval(mins => $5)) returning id, expires_at`,
);
const DRAIN = statement(
  'operator.drain_machine',
  `update machines set status = 'draining' where id = $1 and status = 'active'
   returning pg_notify('landlord_machines', id::text)`,
);
const RESUME = statement(
  'operator.resume_machine',
  `update machines set status = 'active' where id = $1 and status = 'draining'
   returning pg_notify('landlord_machines', id::text)`,
);
const LOCK = statement(
  'operator.lock_machine',
  `select 1 from machines where id = $1 and status <> 'removed' for update`,
);
const REMOVE = statement(
  'operator.remove_machine',
  `update machines set status = 'removed', removed_at = now(), generation = generation + 1
    where id = $1 and status <> 'removed' returning pg_notify('landlord_machines', id::text)`,
);
const REMOVE_NODES = statement(
  'operator.remove_machine_nodes',
  'delete from machine_nodes where machine_id = $1 returning deployment_id',
);

/** Machines, for the commands of operators. */
@Injectable()
export class MachineCommandsRepository {
  constructor(private readonly database: Database) {}

  async list(includesRemoved: boolean): Promise<OperatorMachine[]> {
    return this.database.query<OperatorMachine>(LIST, [null, includesRemoved]);
  }

  /** The machine, also a removed one. */
  async find(id: MachineId): Promise<OperatorMachine | null> {
    const [row] = await this.database.query<OperatorMachine>(LIST, [id, true]);
    return row ?? null;
  }

  async nodes(id: MachineId): Promise<NodeOnMachine[]> {
    return this.database.query<NodeOnMachine>(NODES, [id]);
  }

  /** Stores the hash of a one-time token. The database sets the end of the token. */
  async insertToken({ cell, region, zone, secret_hash, minutes }: NewMachineToken): Promise<IssuedToken> {
    const [row] = await this.database.query<IssuedToken>(INSERT_TOKEN, [cell, region, zone, secret_hash, minutes]);
    return row as IssuedToken;
  }

  /** Returns false when the machine is unknown or not active. */
  async drain(id: MachineId): Promise<boolean> {
    if ((await this.database.execute(DRAIN, [id])) !== 1) return false;
    // A new drain tries every node at once.
    const failed = { machine_id: id, move_due_at: Not(IsNull()) };
    const changes = { failed_moves: 0, move_due_at: null, move_error: null };
    await this.database.repository(MachineNode).update(failed, changes);
    return true;
  }

  /** Returns false when the machine is unknown or not draining. */
  async resume(id: MachineId): Promise<boolean> {
    return (await this.database.execute(RESUME, [id])) === 1;
  }

  /** Locks the machine, so that no node is placed on it until the end of the transaction. Returns false when there is none. */
  async lock(id: MachineId): Promise<boolean> {
    return (await this.database.query(LOCK, [id])).length > 0;
  }

  /** Refuses the credential of the machine from now on, and forgets its nodes. Returns the deployments of these nodes. */
  async remove(id: MachineId): Promise<DeploymentId[]> {
    await this.database.execute(REMOVE, [id]);
    const rows = await this.database.query<Pick<MachineNode, 'deployment_id'>>(REMOVE_NODES, [id]);
    return [...new Set(rows.map(({ deployment_id }) => deployment_id))];
  }
}
