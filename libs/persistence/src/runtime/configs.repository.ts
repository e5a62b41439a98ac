import { Injectable } from '@nestjs/common';
import type { DeploymentId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { SecretLocation } from '../sealed-columns.js';
import type { Config } from './entities/config.entity.js';

/** A configuration without its values. */
export interface ConfigSummary extends Pick<Config, 'id' | 'kind' | 'name' | 'version' | 'runtime_version'> {
  primary: Config['is_primary'];
}

const LIST = statement(
  'config.list',
  `select id, kind, name, version, is_primary as "primary", runtime_version from configs where deployment_id = $1 order by id`,
);

/** Sealed values are bound to deployment, kind, name and version, because these are known before the row has an id. */
export const configLocation = (
  deploymentId: DeploymentId,
  kind: string,
  name: string,
  version: number,
): SecretLocation => ({
  table: 'configs',
  column: 'config_values',
  row: `${deploymentId}/${kind}/${name}/${version}`,
});

/** Versioned configurations. */
@Injectable()
export class ConfigsRepository {
  constructor(private readonly database: Database) {}

  async list(deploymentId: DeploymentId): Promise<ConfigSummary[]> {
    return this.database.query<ConfigSummary>(LIST, [deploymentId]);
  }
}
