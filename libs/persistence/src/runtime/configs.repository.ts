import { statement, type Database } from '../database.js';
import type { Secrets } from '../secrets.js';

/** A configuration without its values. */
export interface ConfigSummary {
  id: number;
  kind: string;
  name: string;
  version: number;
  primary: boolean;
  runtime_version: string;
}

const INSERT = statement(
  'config.insert',
  `insert into configs (deployment_id, kind, name, version, is_primary, config_values, runtime_version, author_id)
   values ($1, $2, $3, 1, true, $4, $5, $6)`,
);
const LIST = statement(
  'config.list',
  `select id, kind, name, version, is_primary as "primary", runtime_version from configs where deployment_id = $1 order by id`,
);

/** Sealed values belong to a deployment, kind, name and version, known before the row has an id. */
export const configPlace = (deploymentId: number, kind: string, name: string, version: number) => ({
  table: 'configs',
  column: 'config_values',
  row: `${deploymentId}/${kind}/${name}/${version}`,
});

/** Versioned configurations. */
export class ConfigsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Version 1 of the broker's configuration, empty and primary: the defaults of the release. */
  async createFirst(deploymentId: number, runtimeVersion: string, authorId: number | null): Promise<void> {
    const values = this.secrets.seal(configPlace(deploymentId, 'broker', 'broker', 1), '{}');
    await this.database.execute(INSERT, [deploymentId, 'broker', 'broker', values, runtimeVersion, authorId]);
  }

  async list(deploymentId: number): Promise<ConfigSummary[]> {
    return this.database.query<ConfigSummary>(LIST, [deploymentId]);
  }
}
