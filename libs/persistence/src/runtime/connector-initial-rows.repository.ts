import { Injectable } from '@nestjs/common';
import type { ConnectorType, DeploymentId, UserId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { Secrets } from '../secrets.js';
import { configLocation } from './configs.repository.js';
import { recordTask, type TriggeredTask } from './tasks.repository.js';
import { CONNECTOR_COLUMNS, connectorKind, type ConnectorInstanceRow } from './connector-instances.repository.js';

/** An instance at its activation. */
export interface NewConnector {
  type: ConnectorType;
  plugin: string;
  pluginVersion: string;
  key: string;
  name: string;
  authorId: UserId | null;
  /** The values of its first configuration, which is its active one. */
  values: object;
}

// A key that was used before continues its version numbers. The number of a deleted version is not reused.
const NEXT_VERSION = statement(
  'connector_birth.version',
  `select 1 + coalesce(max(last), 0)::int as version from (
     select last_version as last from config_versions where deployment_id = $1 and kind = $2 and name = $3
     union all select version from configs where deployment_id = $1 and kind = $2 and name = $3) as known`,
);
const INSERT = statement(
  'connector_birth.insert',
  `with config as (
     insert into configs (deployment_id, kind, name, version, is_primary, config_values, runtime_version, author_id)
     values ($1, $2, $3, $4, true, $5, $6, $7::bigint) returning id
   )
   insert into connector_instances (deployment_id, type, plugin, plugin_version, key, name, config_id, author_id)
   select $1, $8, $9, $6, $3, $10, id, $7::bigint from config returning ${CONNECTOR_COLUMNS}`,
);

/** Inserts the first rows of an instance, in the transaction that activates it. */
@Injectable()
export class ConnectorInitialRowsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** The caller must have locked the deployment and checked that the key is free. */
  async insert(deploymentId: DeploymentId, connector: NewConnector): Promise<ConnectorInstanceRow> {
    const { type, plugin, pluginVersion, key, name, authorId, values } = connector;
    const kind = connectorKind(type, plugin);
    const [next] = await this.database.query<{ version: number }>(NEXT_VERSION, [deploymentId, kind, key]);
    const version = next?.version ?? 1;
    const sealed = this.secrets.seal(configLocation(deploymentId, kind, key, version), JSON.stringify(values));
    const config = [deploymentId, kind, key, version, sealed, pluginVersion, authorId];
    const rows = await this.database.query<ConnectorInstanceRow>(INSERT, [...config, type, plugin, name]);
    return rows[0] as ConnectorInstanceRow;
  }

  /** The nodes are reconfigured for the new instance. */
  async insertTask(task: TriggeredTask): Promise<void> {
    await recordTask(this.database, task);
  }
}
