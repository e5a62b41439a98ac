import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BROKER_RELEASES,
  type DeploymentId,
  type DivisionId,
  type EnvironmentId,
  type NodeId,
  type NodeSpec,
  type TenantId,
} from '@libs/domain';
import { parseSettings } from '@libs/domain/settings';
import { createApp, PinoLogger, serveDocs } from '@libs/http';
import type { Installation } from '@libs/persistence/migrations';
import {
  InitialRowsRepository,
  NodeDocumentsRepository,
  NodesRepository,
  type NewNode,
} from '@libs/persistence/runtime';
import {
  ApiClient,
  CloudAccess,
  createTestDatabase,
  freePorts,
  given,
  nextNodeIds,
  seedTestInstallation,
  type TestDatabase,
} from '@libs/testing';
import type { INestApplication } from '@nestjs/common';
import { SUPERVISOR_SETTINGS, type SupervisorConfig } from '../src/config.js';
import { consoleOrigins } from '../src/console-origins.js';
import { API_DESCRIPTION } from '../src/docs/api-description.js';
import { SupervisorModule } from '../src/supervisor.module.js';

const LOG = 'supervisor.log';
const TRACE = '0'.repeat(32);
const SECRET_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const BROKER_RELEASE = BROKER_RELEASES.embedded ?? '';

const NODE: Omit<NewNode, 'id'> = {
  ...{ ordinal: 1, name: 'node-1', role: 'leader', broker_driver: 'embedded', broker_version: BROKER_RELEASE },
  ...{ image_id: 'image', storage_type: 'network_balanced', storage_size: 100, variant: 'small', memory_mib: 4096 },
};

/** The organization of a deployment. */
export interface DeploymentPlace {
  tenantId: TenantId;
  divisionId: DivisionId;
  environmentId: EnvironmentId;
}

/** A serving deployment of a test, and its only node. */
export interface ServingDeployment {
  deploymentId: DeploymentId;
  nodeId: NodeId;
  /** The path of the deployment at the Supervisor. */
  path: string;
}

/**
 * A whole Supervisor in the process of the test, over HTTP and with its own database. By default it has no workers and no
 * gateway: accepted operations stay pending, and no node runs. Tests with nodes use `TestCloud`.
 */
export class TestSupervisor extends CloudAccess {
  private made = 0;

  private constructor(
    private readonly app: INestApplication,
    private readonly config: SupervisorConfig,
    private readonly database: TestDatabase,
    installation: Installation,
  ) {
    super(installation, { databaseUrl: database.url, secretKeys: config.LANDLORD_SECRET_KEYS });
  }

  /** `environment`: settings as the process would read them. By default, requests are not limited. */
  static async open(environment: Record<string, string> = {}): Promise<TestSupervisor> {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-supervisor-'));
    const database = await createTestDatabase();
    const installation = await seedTestInstallation(database.url);
    const [port = 0, gatewayPort = 0] = await freePorts(2);
    const config = readConfig({
      SUPERVISOR_PORT: String(port),
      GATEWAY_PORT: String(gatewayPort),
      DATABASE_URL: installation.role_urls.supervisor,
      LANDLORD_SECRET_KEYS: SECRET_KEYS,
      LANDLORD_DATA_DIR: directory,
      LANDLORD_ROLE: 'api',
      LOCAL_BROKER: 'embedded',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'debug',
      ...environment,
    });
    return new TestSupervisor(await listen(config), config, database, installation);
  }

  get directory(): string {
    return this.config.LANDLORD_DATA_DIR;
  }

  get url(): string {
    return `http://127.0.0.1:${this.config.SUPERVISOR_PORT}`;
  }

  runtime(key: string | null = this.key): ApiClient {
    return new ApiClient(this.url, key);
  }

  log(): string {
    return readFileSync(join(this.directory, LOG), 'utf8');
  }

  /** A serving deployment with one node and its document, in the first environment or in another organization. */
  async deployment(name?: string, place: DeploymentPlace = this.place): Promise<ServingDeployment> {
    this.made += 1;
    const code = `d-${this.made}`;
    const [row] = await this.rows<{ id: string }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier,
         cluster, managed_tier, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count,
         telemetry_days, monthly_compute, monthly_storage, pricing_version, features)
       values ($1, $2, $3, $4, $5, 'managed', 'aws', 'us', 'us-east-1', $6, 'small', 'standalone', 'enterprise',
         'network_balanced', 100, 10, 'same_region', 'single_az', 1, 7, 0, 0, '1',
         '{"private_networking": "played", "backup": "real"}') returning id`,
      [place.tenantId, place.divisionId, place.environmentId, name ?? code, code, this.config.SUPERVISOR_CELL],
    );
    const deploymentId = Number(row?.id);
    const nodeId = await this.firstRows(deploymentId);
    await this.rows(`update deployment_runtimes set status = 'initialized' where deployment_id = $1`, [deploymentId]);
    return { deploymentId, nodeId, path: `/deployments/${deploymentId}` };
  }

  /** A serving deployment of another organization. */
  async foreignDeployment(name?: string): Promise<ServingDeployment> {
    return this.deployment(name, await given.tenant(this));
  }

  /** The newest document of a node. */
  async document(nodeId: NodeId): Promise<{ generation: number; spec: NodeSpec }> {
    const document = await this.asSupervisor((database, secrets) =>
      new NodeDocumentsRepository(database, secrets).find(nodeId),
    );
    if (!document) throw new TypeError(`node ${nodeId} has no document`);
    return { generation: document.generation, spec: document.spec };
  }

  /** The audit entries of a deployment, oldest first. */
  audit(deploymentId: DeploymentId): Promise<{ type: string; data: object | null }[]> {
    return this.rows('select type, data from audit_entries where deployment_id = $1 order by id', [deploymentId]);
  }

  /** The operations of a deployment, oldest first. */
  operations(deploymentId: DeploymentId): Promise<{ id: number; type: string; status: string; memo: object }[]> {
    return this.rows(
      'select id::float8 as id, type, status, memo from operations where deployment_id = $1 order by operations.id',
      [deploymentId],
    );
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.sql.end();
    await this.database.drop();
    await rm(this.directory, { recursive: true, force: true });
  }

  private get place(): DeploymentPlace {
    const { tenant_id, division_id, environment_id } = this.installation;
    return { tenantId: tenant_id, divisionId: division_id, environmentId: environment_id };
  }

  private async firstRows(deploymentId: DeploymentId): Promise<NodeId> {
    const [id = 0] = await nextNodeIds(this, 1);
    return this.asSupervisor(async (database, secrets) => {
      await new InitialRowsRepository(database, secrets).insert(deploymentId, {
        ...{ cell: this.config.SUPERVISOR_CELL, runtimeVersion: BROKER_RELEASE, authorId: null },
        ...{
          nodes: [{ ...NODE, id }],
          isOpenToAll: false,
          hasPublicIp: true,
          isEncrypted: false,
          rateLimitBytes: null,
          restoreSource: null,
        },
      });
      await new NodesRepository(database).listenOn(id, '127.0.0.1', 'zone-a');
      await new NodeDocumentsRepository(database, secrets).publish(id, TRACE);
      return id;
    });
  }
}

/** Like the settings of the process. */
function readConfig(environment: Record<string, string>): SupervisorConfig {
  const parsed = parseSettings(SUPERVISOR_SETTINGS, environment);
  const GATEWAY_PORT = parsed.GATEWAY_PORT ?? parsed.SUPERVISOR_PORT + 1;
  return {
    ...parsed,
    GATEWAY_PORT,
    SUPERVISOR_PUBLIC_URL: parsed.SUPERVISOR_PUBLIC_URL ?? `http://127.0.0.1:${parsed.SUPERVISOR_PORT}`,
    AGENT_PUBLIC_URL: parsed.AGENT_PUBLIC_URL ?? `http://127.0.0.1:${GATEWAY_PORT}`,
    searchPath: '',
  };
}

async function listen(config: SupervisorConfig): Promise<INestApplication> {
  const file = join(config.LANDLORD_DATA_DIR, LOG);
  const logger = new PinoLogger({ level: config.LOG_LEVEL, app: 'supervisor', file });
  const app = await createApp(SupervisorModule.forRoot(config), {
    logger,
    listener: 'supervisor-api',
    ...{ trustedProxies: config.TRUSTED_PROXIES, origins: consoleOrigins(config, false) },
  });
  serveDocs(app, { ...API_DESCRIPTION, url: config.SUPERVISOR_PUBLIC_URL });
  await app.listen(config.SUPERVISOR_PORT, '127.0.0.1');
  return app;
}
