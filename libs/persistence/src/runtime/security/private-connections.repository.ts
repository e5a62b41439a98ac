import { Injectable } from '@nestjs/common';
import type { DeploymentId, PrivateConnectionId, TenantId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { caseless } from '../../conditions.js';
import { statement, Database } from '../../database.js';
import { PrivateConnection as PrivateConnectionEntity } from '../entities/private-connection.entity.js';

export const PRIVATE_CONNECTION_KINDS = [
  'vpc_peering',
  'network_peering',
  'endpoint_service',
  'service_attachment',
] as const;
export type PrivateConnectionKind = (typeof PRIVATE_CONNECTION_KINDS)[number];

/**
 * A private connection from a network of the customer to a deployment. The kind defines the content of `spec` and `attributes`.
 */
export interface PrivateConnection extends Pick<
  PrivateConnectionEntity,
  'id' | 'kind' | 'name' | 'remarks' | 'spec' | 'status' | 'reason' | 'attributes'
> {
  deploymentId: DeploymentId;
  /** When the deletion was requested. */
  deletingAt: Date | null;
  createdAt: Date;
}

export type LiveConnection = Pick<PrivateConnection, 'id' | 'deploymentId' | 'kind'>;
export type NewPrivateConnection = Pick<
  PrivateConnection,
  'deploymentId' | 'kind' | 'name' | 'remarks' | 'spec' | 'status'
>;

/** The result of a read at the provider. */
export interface PrivateConnectionObservation {
  status: string;
  reason: string | null;
  attributes: Record<string, unknown> | null;
}

const COLUMNS = `id, deployment_id as "deploymentId", kind, name, nullif(remarks, '') as remarks, spec, status, reason, attributes,
  deleting_at as "deletingAt", created_at as "createdAt"`;

/** Finds the running operation that creates the connection. */
const CREATION_OF = (deployment: string, id: string): string =>
  `select o.id from operations o where o.deployment_id = ${deployment} and o.type = 'create_private_connection'
      and o.status in ('pending', 'running') and o.memo ->> 'private_connection_id' = (${id})::text`;

const LOCK = statement(
  'private_connection.lock',
  `select ${COLUMNS} from private_connections where deployment_id = $1 and kind = $2 and id = $3 and deleted_at is null
   for update`,
);
/** The other side has ended the request. The record stays until its deletion, and blocks neither a network nor a place. */
export const ENDED_STATUSES: readonly string[] = ['rejected', 'expired', 'failed'];

const COUNT = statement(
  'private_connection.count',
  `select count(*)::int as count from private_connections where kind = any($2) and deleted_at is null and status <> all('{${ENDED_STATUSES.join(',')}}')
      and deployment_id = any(array(select id from deployments where tenant_id = $1))`,
);
const LOCK_TENANT = statement(
  'private_connection.lock_tenant',
  `select pg_advisory_xact_lock(hashtextextended('landlord.private_connections', $1))`,
);
const INSERT = statement(
  'private_connection.insert',
  `insert into private_connections (deployment_id, cell, kind, name, remarks, spec, status)
   select deployment_id, cell, $2, $3, coalesce($4, ''), $5::jsonb, $6 from deployment_runtimes where deployment_id = $1 returning id`,
);
const MARK = statement(
  'private_connection.mark_deleting',
  `update private_connections set deleting_at = coalesce(deleting_at, now()), status = $2 where id = $1 and deleted_at is null`,
);
// A connection in deletion keeps its status, because a read at the provider may have started before the deletion.
const SEE = statement(
  'private_connection.see',
  `update private_connections set status = $2, reason = $3, attributes = coalesce($4::jsonb, attributes), looked_at = now()
    where id = $1 and deleted_at is null and deleting_at is null
      and (status, reason, attributes) is distinct from ($2, $3, coalesce($4::jsonb, attributes))`,
);
// Several Supervisors of the cell check at once. The locks give each connection to one of them. Connections in creation are
// skipped: the provider may not list them yet, so they would look lost.
const TAKE_DUE = statement(
  'private_connection.take_due',
  `with due as materialized (
     select c.id from private_connections c
      where c.cell = $1 and c.deleted_at is null and c.deleting_at is null
        and c.looked_at <= now() - make_interval(secs => $2)
        and not exists (${CREATION_OF('c.deployment_id', 'c.id')})
      order by c.looked_at, c.id limit $3 for no key update skip locked
   )
   update private_connections set looked_at = now() where id = any(array(select id from due)) returning ${COLUMNS}`,
);
const CREATION = statement('private_connection.creation', CREATION_OF('$1', '$2::bigint'));
const LIVING = statement(
  'private_connection.living',
  `select id, deployment_id as "deploymentId", kind from private_connections
    where deployment_id = any($1::bigint[]) and deleted_at is null`,
);
const FORGET_ALL = statement(
  'private_connection.forget_all',
  `update private_connections set deleted_at = now(), deleting_at = coalesce(deleting_at, now())
    where deployment_id = $1 and deleted_at is null`,
);
/** Private connections from networks of customers to deployments. Every read for an API route has the deployment. */
@Injectable()
export class PrivateConnectionsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. No paging, because the plan limits their number. */
  async list(deploymentId: DeploymentId, kind: PrivateConnectionKind): Promise<PrivateConnection[]> {
    const where = { deployment_id: deploymentId, kind, deleted_at: IsNull() };
    const newest = { where, order: { id: 'DESC' } } as const;
    const connections = await this.database.repository(PrivateConnectionEntity).find(newest);
    return connections.map(asConnection);
  }

  async find(
    deploymentId: DeploymentId,
    kind: PrivateConnectionKind,
    id: PrivateConnectionId,
  ): Promise<PrivateConnection | null> {
    const where = { deployment_id: deploymentId, kind, id, deleted_at: IsNull() };
    const connection = await this.database.repository(PrivateConnectionEntity).findOneBy(where);
    return connection && asConnection(connection);
  }

  async findForUpdate(
    deploymentId: DeploymentId,
    kind: PrivateConnectionKind,
    id: PrivateConnectionId,
  ): Promise<PrivateConnection | null> {
    return this.database.first<PrivateConnection>(LOCK, [deploymentId, kind, id]);
  }

  /** For workflows, which have only the id. Also finds a deleted connection. */
  async get(id: PrivateConnectionId): Promise<PrivateConnection | null> {
    const connection = await this.database.repository(PrivateConnectionEntity).findOneBy({ id });
    return connection && asConnection(connection);
  }

  async findIdByName(
    deploymentId: DeploymentId,
    kind: PrivateConnectionKind,
    name: string,
  ): Promise<PrivateConnectionId | null> {
    const where = { deployment_id: deploymentId, kind, name: caseless(name), deleted_at: IsNull() };
    const one = { select: { id: true }, where };
    const connection = await this.database.repository(PrivateConnectionEntity).findOne(one);
    return connection?.id ?? null;
  }

  /** Number of connections of the tenant that the plan limits. Locks the count until the transaction ends. */
  async count(tenantId: TenantId, kinds: readonly PrivateConnectionKind[]): Promise<number> {
    await this.database.query(LOCK_TENANT, [tenantId]);
    return this.usage(tenantId, kinds);
  }

  /** Like `count`, for a reader: the number may change at once. */
  async usage(tenantId: TenantId, kinds: readonly PrivateConnectionKind[]): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(COUNT, [tenantId, kinds]);
    return row?.count ?? 0;
  }

  /** Returns the id. */
  async insert({
    deploymentId,
    kind,
    name,
    remarks,
    spec,
    status,
  }: NewPrivateConnection): Promise<PrivateConnectionId> {
    const values = [deploymentId, kind, name, remarks, JSON.stringify(spec), status];
    const [row] = await this.database.query<{ id: PrivateConnectionId }>(INSERT, values);
    return row?.id ?? 0;
  }

  async markDeleting(id: PrivateConnectionId, status: string): Promise<void> {
    await this.database.execute(MARK, [id, status]);
  }

  /** Stores the report of the provider. Returns true when it changed. Does not change a connection in deletion. */
  async see(id: PrivateConnectionId, { status, reason, attributes }: PrivateConnectionObservation): Promise<boolean> {
    const stored = attributes === null ? null : JSON.stringify(attributes);
    return (await this.database.execute(SEE, [id, status, reason, stored])) === 1;
  }

  /**
   * Connections of the cell without a check for `seconds` seconds, the oldest check first. Marks them as checked now. Excludes
   * connections whose creation or deletion is running.
   */
  async takeDue(cell: string, seconds: number, limit: number): Promise<PrivateConnection[]> {
    return this.database.query<PrivateConnection>(TAKE_DUE, [cell, seconds, limit]);
  }

  async isBeingCreated(deploymentId: DeploymentId, id: PrivateConnectionId): Promise<boolean> {
    return (await this.database.query(CREATION, [deploymentId, id])).length > 0;
  }

  /** Connections of these deployments that are not deleted yet. */
  async living(deploymentIds: readonly DeploymentId[]): Promise<LiveConnection[]> {
    return this.database.query<LiveConnection>(LIVING, [deploymentIds]);
  }

  /** The connection is deleted at the provider. Lists no longer show it. Returns true on the first call. */
  async forget(id: PrivateConnectionId, status: string): Promise<boolean> {
    const changes = { deleted_at: () => 'now()', status };
    const living = { id, deleted_at: IsNull() };
    const { affected } = await this.database.repository(PrivateConnectionEntity).update(living, changes);
    return affected === 1;
  }

  /** Deletes the connections together with their deployment. */
  async forgetAll(deploymentId: DeploymentId): Promise<void> {
    await this.database.execute(FORGET_ALL, [deploymentId]);
  }
}

function asConnection(connection: PrivateConnectionEntity): PrivateConnection {
  const { id, deployment_id, kind, name, remarks, spec, status, reason, attributes, deleting_at, created_at } =
    connection;
  const times = { deletingAt: deleting_at, createdAt: created_at };
  return { id, deploymentId: deployment_id, kind, name, remarks, spec, status, reason, attributes, ...times };
}
