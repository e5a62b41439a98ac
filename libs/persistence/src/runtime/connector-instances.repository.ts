import { Injectable } from '@nestjs/common';
import type {
  ConfigId,
  ConnectorCounts,
  ConnectorInstanceId,
  ConnectorReport,
  DeploymentId,
  NodeId,
} from '@libs/domain';
import { statement, Database } from '../database.js';
import { ConnectorInstance } from './entities/connector-instance.entity.js';

/** A connector that has failed, or works again. */
export interface ConnectorAlarm {
  id: ConnectorInstanceId;
  deploymentId: DeploymentId;
  key: string;
  name: string;
  type: string;
  plugin: string;
  isFailed: boolean;
  reason: string | null;
  since: Date;
}

/** An activated connector (C-18.2). */
export type ConnectorInstanceRow = Pick<
  ConnectorInstance,
  | 'id'
  | 'deployment_id'
  | 'type'
  | 'plugin'
  | 'plugin_version'
  | 'key'
  | 'name'
  | 'status'
  | 'status_reason'
  | 'status_since'
  | 'config_id'
  | 'reported_status'
  | 'reported_config_id'
  | 'reported_error'
  | 'created_at'
>;

/** The status of an instance as a node reports it. */
export interface ReportedConnector extends Pick<ConnectorReport, 'instance_id' | 'status' | 'config_id' | 'error'> {
  node_id: NodeId;
}

export const CONNECTOR_COLUMNS = `id, deployment_id, type, plugin, plugin_version, key, name, status, status_reason, status_since, config_id,
  reported_status, reported_config_id, reported_error, created_at`;

const COUNTS = statement(
  'connector.counts',
  `select c.value as counts from nodes n cross join lateral jsonb_array_elements(n.connector_counts) c
    where n.deployment_id = $1 order by n.ordinal`,
);
const DELETE = statement(
  'connector.delete',
  `delete from connector_instances where deployment_id = $1 and id = $2 returning ${CONNECTOR_COLUMNS}`,
);
// No other instance uses these configurations.
const DELETE_CONFIGS = statement(
  'connector.delete_configs',
  'delete from configs where deployment_id = $1 and kind = $2 and name = $3',
);
const REMEMBER_CONFIGS = statement(
  'connector.remember_configs',
  `insert into config_versions as v (deployment_id, kind, name, last_version)
   select deployment_id, kind, name, max(version) from configs
    where deployment_id = $1 and kind = $2 and name = $3 group by deployment_id, kind, name
   on conflict (deployment_id, kind, name) do update set last_version = greatest(v.last_version, excluded.last_version)`,
);
const HOLD = `select id from connector_instances where deployment_id = $1 order by id for no key update`;
const APPLY = statement(
  'connector.apply',
  `with held as materialized (${HOLD})
   update connector_instances i set config_id = k.id, is_configured = true
     from held h, configs k
    where i.id = h.id and k.deployment_id = i.deployment_id and k.kind = 'connector:' || i.type || ':' || i.plugin
      and k.name = i.key and case when $2::bigint is null then k.is_primary else k.id = $2 end and i.config_id <> k.id`,
);
const FAIL = statement(
  'connector.fail',
  `with held as materialized (${HOLD})
   update connector_instances i set status = 'failed', status_reason = $3, status_since = now()
     from held h
    where i.id = h.id and ($2::bigint is null or i.id = $2)
      and (i.status = 'pending' or i.reported_config_id is distinct from i.config_id)`,
);
const ALARMED = `i.status = 'failed' and i.failure_announced_at is null or i.status = 'active' and i.failure_announced_at is not null`;
const TAKE_ALARMS = statement(
  'connector.take_alarms',
  `update connector_instances i
      set failure_announced_at = case when i.status = 'failed' then now() end
    where i.id in (
      select i.id from connector_instances i
        join deployment_runtimes r on r.deployment_id = i.deployment_id and r.cell = $1 and r.deleted_at is null and r.status <> 'deleting'
       where (i.status = 'failed' or i.failure_announced_at is not null) and (${ALARMED})
       order by i.id limit 100 for update of i skip locked)
   returning i.id, i.deployment_id as "deploymentId", i.key, i.name, i.type, i.plugin, i.status = 'failed' as "isFailed",
             i.status_reason as reason, i.status_since as since`,
);
/**
 * The only rule for status changes of an instance (C-18.8). Reports about another configuration than the current one change no
 * status. Only reports of the node that runs connectors count, and only for its own deployment, because a node in a customer's
 * account is not trusted. An unchanged status writes nothing.
 */
const RECORD = statement(
  'connector.record',
  `with reported as (
     select * from jsonb_to_recordset($1::jsonb) as t(node_id bigint, instance_id bigint, status text, config_id bigint, error text)
   ), held as materialized (
     select i.id, t.status as reported_status, t.config_id as reported_config_id, t.error as reported_error,
            case when t.config_id <> i.config_id or t.status = 'starting' then i.status
                 when t.status = 'failed' then 'failed'
                 when t.status = 'stopped' and i.is_configured then 'inactive'
                 else 'active' end as next_status
       from connector_instances i
       join reported t on t.instance_id = i.id
       join nodes n on n.id = t.node_id and n.deployment_id = i.deployment_id and n.ordinal = 1 and n.status <> 'deleting'
      order by i.id for no key update of i
   )
   update connector_instances i
      set reported_status = h.reported_status, reported_config_id = h.reported_config_id, reported_error = h.reported_error,
          status = h.next_status,
          status_reason = case when h.next_status = 'failed' then coalesce(h.reported_error, i.status_reason) end,
          status_since = case when i.status = h.next_status then i.status_since else now() end
     from held h
    where i.id = h.id
      and (i.reported_status, i.reported_config_id, i.reported_error, i.status)
          is distinct from (h.reported_status, h.reported_config_id, h.reported_error, h.next_status)`,
);

/** The kind of an instance's configurations. Their name is the key of the instance. */
export const connectorKind = (type: string, plugin: string): string => `connector:${type}:${plugin}`;

/** Activated connectors of deployments. */
@Injectable()
export class ConnectorInstancesRepository {
  constructor(private readonly database: Database) {}

  /** What the instances of a deployment have moved, by the last reports of its nodes. */
  async counts(deploymentId: DeploymentId): Promise<ReadonlyMap<ConnectorInstanceId, ConnectorCounts>> {
    const rows = await this.database.query<{ counts: ConnectorCounts }>(COUNTS, [deploymentId]);
    return new Map(rows.map(({ counts }) => [counts.instance_id, counts]));
  }

  /** In the order of activation. The number is small, because users activate each one manually. */
  async list(deploymentId: DeploymentId): Promise<ConnectorInstanceRow[]> {
    const oldest = { where: { deployment_id: deploymentId }, order: { id: 'ASC' } } as const;
    return this.database.repository(ConnectorInstance).find(oldest);
  }

  /**
   * Deletes the instance with its configurations. Their version numbers are not reused. Returns null when there is no such
   * instance. The caller must have locked the deployment.
   */
  async delete(deploymentId: DeploymentId, id: ConnectorInstanceId): Promise<ConnectorInstanceRow | null> {
    const [row] = await this.database.query<ConnectorInstanceRow>(DELETE, [deploymentId, id]);
    if (!row) return null;
    const name = [deploymentId, connectorKind(row.type, row.plugin), row.key];
    await this.database.execute(REMEMBER_CONFIGS, name);
    await this.database.execute(DELETE_CONFIGS, name);
    return row;
  }

  /**
   * Sets the configuration of the instances from their next document on: this one, or with null the active one of each.
   * Returns the number of instances that had another one.
   */
  async apply(deploymentId: DeploymentId, configId: ConfigId | null): Promise<number> {
    return this.database.execute(APPLY, [deploymentId, configId]);
  }

  /** Marks instances as failed whose node did not report in time that they run with their configuration. `id` null: all. */
  async fail(deploymentId: DeploymentId, id: ConnectorInstanceId | null, reason: string): Promise<void> {
    await this.database.execute(FAIL, [deploymentId, id, reason]);
  }

  /** Stores reports of many nodes at once, and updates the status of the instances. */
  async record(reports: readonly ReportedConnector[]): Promise<void> {
    if (reports.length > 0) await this.database.execute(RECORD, [JSON.stringify(reports)]);
  }

  /**
   * The instances of the cell that have failed, or work again, since the channels were told. The caller tells the channels in the
   * same transaction.
   */
  async takeAlarms(cell: string): Promise<ConnectorAlarm[]> {
    return this.database.query<ConnectorAlarm>(TAKE_ALARMS, [cell]);
  }
}
