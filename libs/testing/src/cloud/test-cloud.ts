import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorSession } from '@libs/operator';
import { seedInstallation, type Installation } from '@libs/persistence/migrations';
import { Database, dataSourceOptions, Secrets } from '@libs/persistence';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../postgres/create-test-database.js';
import { upgradeTestSchema } from '../postgres/migrate-test-schema.js';
import { OwnDatabase } from '../postgres/own-database.js';
import { OwnRedis } from '../redis/own-redis.js';
import { ApiClient } from './api-client.js';
import { NATS_SERVER } from '../nats-server.js';
import { AppProcess, type AppName } from './app-process.js';
import { freePorts } from './free-ports.js';
import { nodeProcesses, killNodeProcesses } from './node-processes.js';

/** The same for all suites, because the app roles belong to the whole server. */
const ROLE_KEY = Buffer.alloc(32, 7);
const PORTS_OF_A_CLOUD = 60;
const FIRST_PORT = 20_000;
const PORT_SLICES = 150;
const LOST_CONNECTION = ['ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'];

export type TestQueue = 'postgres' | 'redis' | 'off';

export interface CloudOptions {
  /** Settings of both apps, over the defaults. */
  env?: Record<string, string>;
  /** A PostgreSQL of its own, to be crashed. */
  ownDatabase?: boolean;
  /** Existing directory for the data of the apps and their nodes; one of its own, removed at the end, unless told. */
  directory?: string;
  /** What rings the workers; LANDLORD_TEST_QUEUE, or PostgreSQL, unless told. */
  queue?: TestQueue;
}

/** A whole cloud for one suite: its own database, data directory and ports, and both apps as real processes. */
export class TestCloud {
  private constructor(
    readonly database: TestDatabase,
    readonly directory: string,
    readonly installation: Installation,
    readonly mainApi: AppProcess,
    readonly supervisor: AppProcess,
    /** Superuser: tests look at and arrange rows with it. */
    readonly sql: pg.Pool,
    /** Environments of the apps, to start second ones. */
    readonly supervisorEnv: Record<string, string>,
    readonly mainApiEnv: Record<string, string>,
    /** With `queue: 'redis'`. */
    readonly redis: OwnRedis | null,
    private readonly ownDirectory: string,
  ) {}

  static async start(options: CloudOptions = {}): Promise<TestCloud> {
    const own = await mkdtemp(join(tmpdir(), 'landlord-cloud-'));
    const directory = options.directory ?? own;
    const database = await (options.ownDatabase ? OwnDatabase.start(own) : createTestDatabase());
    const installation = await seedInstallation(database.url, { roleKey: ROLE_KEY });
    await upgradeTestSchema(database.url);
    const queue = options.queue ?? (process.env['LANDLORD_TEST_QUEUE'] as TestQueue | undefined) ?? 'postgres';
    const redis = queue === 'redis' ? await OwnRedis.start(directory) : null;
    const [mainPort = 0, supervisorPort = 0, gatewayPort = 0] = await freePorts(3);
    const slice = FIRST_PORT + PORTS_OF_A_CLOUD * (randomBytes(2).readUInt16BE(0) % PORT_SLICES);
    const shared = {
      LANDLORD_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      LANDLORD_DATA_DIR: directory,
      LOG_LEVEL: 'debug',
      // Stories ask more often than people; the one about the limit sets it.
      RATE_LIMIT: 'off',
      // Whatever is installed here: stories say which broker they are about, or `npm run test:brokers` does.
      ...brokerOf(process.env['LANDLORD_TEST_BROKER']),
      ...(queue === 'off' && { QUEUE_URL: 'off' }),
      ...(redis && { QUEUE_URL: redis.url }),
      ...options.env,
    };
    const mainEnv = { ...shared, DATABASE_URL: installation.role_urls.main_api, MAIN_API_PORT: String(mainPort) };
    const supervisorEnv = {
      ...shared,
      DATABASE_URL: installation.role_urls.supervisor,
      SUPERVISOR_PORT: String(supervisorPort),
      GATEWAY_PORT: String(gatewayPort),
      LOCAL_PORT_RANGE: `${slice}-${slice + PORTS_OF_A_CLOUD - 1}`,
    };
    const mainApi = new AppProcess('main-api', `http://127.0.0.1:${mainPort}`, mainEnv, directory);
    const supervisor = new AppProcess('supervisor', `http://127.0.0.1:${supervisorPort}`, supervisorEnv, directory);
    const sql = new pg.Pool({ connectionString: database.url, max: 3 });
    sql.on('error', () => undefined);
    const cloud = new TestCloud(
      database,
      directory,
      installation,
      mainApi,
      supervisor,
      sql,
      supervisorEnv,
      mainEnv,
      redis,
      own,
    );
    await Promise.all([mainApi.start(), supervisor.start()]).catch(async (error: unknown) => {
      await cloud.stop();
      throw error;
    });
    return cloud;
  }

  /** The key of the first boot: the owner of the tenant. */
  get key(): string {
    return this.installation.api_key ?? '';
  }

  main(key: string | null = this.key): ApiClient {
    return new ApiClient(this.mainApi.url, key);
  }

  runtime(key: string | null = this.key): ApiClient {
    return new ApiClient(this.supervisor.url, key);
  }

  /** Path of the first tenant, and what is below it. */
  get tenant(): string {
    return `/tenants/${this.installation.tenant_id}`;
  }

  get division(): string {
    return `${this.tenant}/divisions/${this.installation.division_id}`;
  }

  get environment(): string {
    return `${this.division}/environments/${this.installation.environment_id}`;
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await this.sql.query<Row>(text, values)).rows;
    } catch (error) {
      // A pooled connection that died with a crashed PostgreSQL; the pool has dropped it now.
      if (!LOST_CONNECTION.includes((error as { code?: string }).code ?? '')) throw error;
      return (await this.sql.query<Row>(text, values)).rows;
    }
  }

  /** The supervisor's own repositories, for rows that no route of this release writes yet. */
  async asSupervisor<T>(work: (database: Database, secrets: Secrets) => Promise<T>): Promise<T> {
    const secretKeys = this.supervisorEnv['LANDLORD_SECRET_KEYS'] ?? '';
    const databaseUrl = this.installation.role_urls.supervisor;
    const source = new DataSource(dataSourceOptions({ databaseUrl, secretKeys, applicationName: 'test', poolSize: 2 }));
    await source.initialize();
    try {
      const database = new Database(source);
      return await database.transaction(() => work(database, new Secrets(secretKeys)));
    } finally {
      await source.destroy();
    }
  }

  /** As `landlord ops` would; rejects with OperatorRefused. */
  async asOperator<T>(work: (session: OperatorSession) => Promise<T>): Promise<T> {
    const secretKeys = this.supervisorEnv['LANDLORD_SECRET_KEYS'] ?? '';
    const session = await OperatorSession.open({ databaseUrl: this.database.url, secretKeys, operator: 'test@test' });
    return work(session).finally(() => session.close());
  }

  /** kill -9 of PostgreSQL, and its recovery. Only with a database of its own. */
  async crashDatabase(): Promise<void> {
    if (!(this.database instanceof OwnDatabase)) throw new TypeError('start the cloud with ownDatabase');
    await this.database.crash();
  }

  /** Another process of an app beside the first, on ports of its own; the test starts and stops it. */
  async another(name: AppName, env: Record<string, string> = {}): Promise<AppProcess> {
    const [port = 0, gatewayPort = 0] = await freePorts(2);
    const own =
      name === 'main-api'
        ? { ...this.mainApiEnv, MAIN_API_PORT: String(port) }
        : { ...this.supervisorEnv, SUPERVISOR_PORT: String(port), GATEWAY_PORT: String(gatewayPort) };
    return new AppProcess(name, `http://127.0.0.1:${port}`, { ...own, ...env }, this.directory, 2);
  }

  /** What the agents of all nodes have logged. */
  async agentLog(): Promise<string> {
    const nodes = await readdir(join(this.directory, 'nodes')).catch(() => []);
    const logs = nodes.map((node) =>
      readFile(join(this.directory, 'nodes', node, 'agent.log'), 'utf8').catch(() => ''),
    );
    return (await Promise.all(logs)).join('');
  }

  /** Processes that carry the mark of this installation's nodes. */
  async nodeProcesses(): Promise<{ pid: number; command: string }[]> {
    return nodeProcesses(this.installation.installation);
  }

  /** Stops everything and leaves nothing behind. */
  async stop(): Promise<void> {
    await Promise.all([this.mainApi.stop(), this.supervisor.stop()]);
    await killNodeProcesses(this.installation.installation);
    await this.redis?.stop();
    await this.sql.end();
    await this.database.drop();
    await rm(this.ownDirectory, { recursive: true, force: true });
  }
}

const brokerOf = (driver: string | undefined): Record<string, string> =>
  driver === 'nats' ? { LOCAL_BROKER: 'nats', NATS_SERVER_BIN: NATS_SERVER ?? '' } : { LOCAL_BROKER: 'embedded' };
