import { Injectable } from '@nestjs/common';
import type { BrokerDriver, ConfigId, DeploymentId, NodeId, OperationId, UserId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { Secrets } from '../secrets.js';
import { configLocation, type ConfigSummary } from './configs.repository.js';
import type { Config } from './entities/config.entity.js';

/** A version of a configuration, decrypted. */
export interface ConfigRow extends ConfigSummary, Pick<Config, 'author_id' | 'created_at'> {
  /** Keys and values, including secrets. */
  values: Record<string, unknown>;
}

/** A new version. The insert assigns its number. */
export interface NewConfig {
  kind: string;
  name: string;
  values: Record<string, unknown>;
  /** The release that validated the values. */
  runtimeVersion: string;
  authorId: UserId | null;
}

/** The broker of a deployment and the configurations of its nodes. */
export interface ConfiguredBroker {
  driver: BrokerDriver;
  release: string;
  /** The libraries of iggy-connectors that its Supervisor announces, as `type:key`. */
  libraries: string[];
  /** Ids of the configurations that nodes run with. */
  applied: ConfigId[];
}

/** The users of a configuration. */
export interface ConfigUse {
  /** Nodes that run with the configuration. */
  nodeIds: NodeId[];
  /** An operation that applies it to nodes, or would restore it after a failure. */
  operationId: OperationId | null;
}

type StoredConfig = Omit<ConfigRow, 'values'> & { config_values: string };

const COLUMNS =
  'id, kind, name, version, is_primary as "primary", runtime_version, author_id, created_at, config_values';

const LIST = statement(
  'config_version.list',
  `select ${COLUMNS} from configs where deployment_id = $1 and kind = $2 order by id desc`,
);
const LIST_OF_NAME = statement(
  'config_version.of_name',
  `select ${COLUMNS} from configs where deployment_id = $1 and kind = $2 and name = $3 order by version desc`,
);
const FIND = statement(
  'config_version.find',
  `select ${COLUMNS} from configs where deployment_id = $1 and kind = $2 and id = $3`,
);
const FIND_ALL = statement(
  'config_version.find_all',
  `select ${COLUMNS} from configs where deployment_id = $1 and kind = $2 and id = any($3::bigint[])`,
);
// The broker has one. Connectors have one per instance.
const FIND_PRIMARY = statement(
  'config_version.find_primary',
  `select ${COLUMNS} from configs where deployment_id = $1 and kind = $2 and ($3::text is null or name = $3) and is_primary
    order by id desc limit 1`,
);
// Cast to bigint, so that any number in a path is looked up. The type of the column would refuse large numbers.
const FIND_VERSION = statement(
  'config_version.find_version',
  `select ${COLUMNS} from configs where deployment_id = $1 and kind = $2 and name = $3 and version = $4::bigint`,
);
const FIND_LATEST = statement(
  'config_version.find_latest',
  `select ${COLUMNS} from configs where deployment_id = $1 and kind = $2 and name = $3 order by version desc limit 1`,
);
const BROKER = statement(
  'config_version.ground',
  `select (array_agg(broker_driver order by ordinal))[1] as driver, (array_agg(broker_version order by ordinal))[1] as release,
          coalesce(jsonb_agg(distinct config_id) filter (where config_id is not null), '[]') as applied,
          coalesce((select c.brokers -> 'iggy' -> 'connectors' from deployments d join cells c on c.cell = d.cell where d.id = $1),
                   '[]') as libraries
     from nodes where deployment_id = $1 having count(*) > 0`,
);
const COUNT = statement('config_version.count', 'select count(*)::int as count from configs where deployment_id = $1');
// The number of a deleted version is not reused.
const NEXT = statement(
  'config_version.next',
  `insert into config_versions as v (deployment_id, kind, name, last_version)
   values ($1, $2, $3, 1 + coalesce((select max(version) from configs where deployment_id = $1 and kind = $2 and name = $3), 0))
   on conflict (deployment_id, kind, name) do update set last_version = greatest(v.last_version + 1, excluded.last_version)
   returning last_version as version`,
);
const REMEMBER = statement(
  'config_version.remember',
  `insert into config_versions as v (deployment_id, kind, name, last_version)
   select deployment_id, kind, name, max(version) from configs
    where deployment_id = $1 and kind = $2 and name = $3 group by deployment_id, kind, name
   on conflict (deployment_id, kind, name) do update set last_version = greatest(v.last_version, excluded.last_version)`,
);
const INSERT = statement(
  'config_version.insert',
  `insert into configs (deployment_id, kind, name, version, config_values, runtime_version, author_id)
   values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
);
// Two statements, because a unique index allows only one primary at any moment, per kind or per connector instance.
const DEMOTE = statement(
  'config_version.demote',
  `update configs set is_primary = false
    where deployment_id = $1 and kind = $2 and is_primary and (kind = 'broker' or name = $3)`,
);
const PROMOTE = statement(
  'config_version.promote',
  'update configs set is_primary = true where deployment_id = $1 and kind = $2 and id = $3',
);
const DELETE = statement(
  'config_version.delete',
  'delete from configs where deployment_id = $1 and kind = $2 and id = $3 and not is_primary',
);
const USE = statement(
  'config_version.use',
  `select coalesce((select jsonb_agg(n.id order by n.ordinal) from nodes n
                     where n.deployment_id = $1 and (n.config_id = $2 or n.ordinal = 1 and exists (
                       select 1 from connector_instances i where i.deployment_id = $1 and i.config_id = $2))), '[]') as "nodeIds",
          (select max(id) from operations
            where deployment_id = $1 and type in ('run_activity', 'run_connectors') and status in ('pending', 'running')
              and $2::text in (memo->>'config_id', memo->'before'->>'config_id')) as "operationId"`,
);

/** Versions of a deployment's configurations, with their values. */
@Injectable()
export class ConfigVersionsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Null for a deployment without nodes. */
  async broker(deploymentId: DeploymentId): Promise<ConfiguredBroker | null> {
    return this.database.first<ConfiguredBroker>(BROKER, [deploymentId]);
  }

  /** All versions of all names, newest first. The plan limits their number. */
  async list(deploymentId: DeploymentId, kind: string): Promise<ConfigRow[]> {
    return this.opened(deploymentId, await this.database.query<StoredConfig>(LIST, [deploymentId, kind]));
  }

  /** Versions of one name, newest first. */
  async listOfName(deploymentId: DeploymentId, kind: string, name: string): Promise<ConfigRow[]> {
    const rows = await this.database.query<StoredConfig>(LIST_OF_NAME, [deploymentId, kind, name]);
    return this.opened(deploymentId, rows);
  }

  async find(deploymentId: DeploymentId, kind: string, id: ConfigId): Promise<ConfigRow | null> {
    const rows = await this.database.query<StoredConfig>(FIND, [deploymentId, kind, id]);
    return this.opened(deploymentId, rows)[0] ?? null;
  }

  async findAll(deploymentId: DeploymentId, kind: string, ids: readonly ConfigId[]): Promise<ConfigRow[]> {
    const rows = await this.database.query<StoredConfig>(FIND_ALL, [deploymentId, kind, ids]);
    return this.opened(deploymentId, rows);
  }

  /**
   * The primaries of a name, or with null of any name. The broker has one, each connector instance has one. Reads at most two.
   */
  async findPrimary(deploymentId: DeploymentId, kind: string, name: string | null): Promise<ConfigRow | null> {
    const rows = await this.database.query<StoredConfig>(FIND_PRIMARY, [deploymentId, kind, name]);
    return this.opened(deploymentId, rows)[0] ?? null;
  }

  async findVersion(
    deploymentId: DeploymentId,
    kind: string,
    name: string,
    version: number,
  ): Promise<ConfigRow | null> {
    const rows = await this.database.query<StoredConfig>(FIND_VERSION, [deploymentId, kind, name, version]);
    return this.opened(deploymentId, rows)[0] ?? null;
  }

  /** The newest stored version of a name. */
  async findLatest(deploymentId: DeploymentId, kind: string, name: string): Promise<ConfigRow | null> {
    const rows = await this.database.query<StoredConfig>(FIND_LATEST, [deploymentId, kind, name]);
    return this.opened(deploymentId, rows)[0] ?? null;
  }

  /** Number of stored versions of all kinds. */
  async count(deploymentId: DeploymentId): Promise<number> {
    return (await this.database.query<{ count: number }>(COUNT, [deploymentId]))[0]?.count ?? 0;
  }

  /** Stores the version with the next number of its name. The caller must have locked the deployment. */
  async insert(deploymentId: DeploymentId, config: NewConfig): Promise<ConfigRow> {
    const { kind, name, values, runtimeVersion, authorId } = config;
    const [next] = await this.database.query<{ version: number }>(NEXT, [deploymentId, kind, name]);
    const version = next?.version ?? 1;
    const sealed = this.secrets.seal(configLocation(deploymentId, kind, name, version), JSON.stringify(values));
    const row = [deploymentId, kind, name, version, sealed, runtimeVersion, authorId];
    const rows = await this.database.query<StoredConfig>(INSERT, row);
    return this.opened(deploymentId, rows)[0] as ConfigRow;
  }

  /** Makes it the active version of the broker or of its instance. The caller must have locked the deployment. */
  async activate(deploymentId: DeploymentId, { kind, name, id }: ConfigRow): Promise<void> {
    await this.database.execute(DEMOTE, [deploymentId, kind, name]);
    await this.database.execute(PROMOTE, [deploymentId, kind, id]);
  }

  async use(deploymentId: DeploymentId, id: ConfigId): Promise<ConfigUse> {
    const [use] = await this.database.query<ConfigUse>(USE, [deploymentId, id]);
    return use ?? { nodeIds: [], operationId: null };
  }

  /** Deletes the version unless it is active. Its number is not reused. The caller must have locked the deployment. */
  async delete(deploymentId: DeploymentId, { kind, name, id }: ConfigRow): Promise<void> {
    await this.database.execute(REMEMBER, [deploymentId, kind, name]);
    await this.database.execute(DELETE, [deploymentId, kind, id]);
  }

  private opened(deploymentId: DeploymentId, rows: StoredConfig[]): ConfigRow[] {
    return rows.map(({ config_values, ...row }) => {
      const location = configLocation(deploymentId, row.kind, row.name, row.version);
      return { ...row, values: JSON.parse(this.secrets.open(location, config_values)) as Record<string, unknown> };
    });
  }
}
