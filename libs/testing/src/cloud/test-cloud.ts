import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Installation } from '@libs/persistence/migrations';
import {
  createTestDatabase,
  runDirectory,
  testDatabaseAt,
  type TestDatabase,
} from '../postgres/create-test-database.js';
import { otherCheckout, upgradeTestSchema } from '../postgres/migrate-test-schema.js';
import { OwnDatabase } from '../postgres/own-database.js';
import { OwnRedis } from '../redis/own-redis.js';
import { ApiClient } from './api-client.js';
import { MainApiAccess } from './cloud-access.js';
import { AppProcess, type AppName } from './app-process.js';
import { CloudPool, type IdleCloud } from './cloud-pool.js';
import { cloudSettings, queueOfTheRun, type CloudOptions } from './cloud-settings.js';
import { freePorts } from './free-ports.js';
import { nodeProcesses, killNodeProcesses, type NodeProcess } from './node-processes.js';
import { isAtWork, renew } from './used-cloud.js';
import { seedTestInstallation } from '../postgres/seed-test-installation.js';

interface Parts {
  database: TestDatabase;
  directory: string;
  installation: Installation;
  mainApiEnv: Record<string, string>;
  supervisorEnv: Record<string, string>;
  redis?: OwnRedis | null;
  /** Deleted at the end. */
  ownDirectory: string;
  /** The pool that gets the cloud after this suite. */
  pool?: CloudPool;
}

/** A whole cloud for one suite: its own database, data directory and ports, and both apps as real processes. */
export class TestCloud extends MainApiAccess {
  readonly database: TestDatabase;
  readonly directory: string;
  readonly mainApi: AppProcess;
  readonly supervisor: AppProcess;
  /** Environments of the apps, for starting second processes. */
  readonly supervisorEnv: Record<string, string>;
  readonly mainApiEnv: Record<string, string>;
  /** With `queue: 'redis'`. */
  readonly redis: OwnRedis | null;

  private constructor(private readonly parts: Parts) {
    super(parts.installation, {
      databaseUrl: parts.database.url,
      secretKeys: parts.supervisorEnv['LANDLORD_SECRET_KEYS'] ?? '',
    });
    this.database = parts.database;
    this.directory = parts.directory;
    this.mainApiEnv = parts.mainApiEnv;
    this.supervisorEnv = parts.supervisorEnv;
    this.redis = parts.redis ?? null;
    const [mainUrl, supervisorUrl] = [
      urlOf(parts.mainApiEnv, 'MAIN_API_PORT'),
      urlOf(parts.supervisorEnv, 'SUPERVISOR_PORT'),
    ];
    this.mainApi = new AppProcess('main-api', mainUrl, parts.mainApiEnv, parts.directory);
    this.supervisor = new AppProcess('supervisor', supervisorUrl, parts.supervisorEnv, parts.directory);
  }

  static async start(options: CloudOptions = {}): Promise<TestCloud> {
    const ownDirectory = await mkdtemp(join(tmpdir(), 'landlord-cloud-'));
    const database = await (options.ownDatabase ? OwnDatabase.start(ownDirectory) : createTestDatabase());
    return TestCloud.open(options, { database, ownDirectory });
  }

  /**
   * Like `start`, in a fifth of the time. Returns a cloud that another suite of this run has given back, or a new one. A reused
   * cloud has no data of the earlier suite, but its ids start above 1. For suites about the behavior of apps, not about their
   * start, their counters or their private settings.
   */
  static async borrow({ env = {} }: Pick<CloudOptions, 'env'> = {}): Promise<TestCloud> {
    // A private queue belongs to the suite that started it. The schema of another checkout cannot be emptied by this code.
    if (queueOfTheRun() === 'redis' || otherCheckout()) return TestCloud.start({ env });
    const pool = new CloudPool(runDirectory(), env);
    for (let idle = pool.take(); idle; idle = pool.take()) {
      const cloud = await TestCloud.takeOver(idle, pool);
      if (cloud) return cloud;
    }
    return TestCloud.open({ env }, { database: await createTestDatabase(), ownDirectory: pool.newDirectory(), pool });
  }

  private static async open(
    options: CloudOptions,
    parts: Pick<Parts, 'database' | 'ownDirectory' | 'pool'>,
  ): Promise<TestCloud> {
    const directory = options.directory ?? parts.ownDirectory;
    const installation = await seedTestInstallation(parts.database.url);
    await upgradeTestSchema(parts.database.url);
    const queue = options.queue ?? queueOfTheRun();
    const redis = queue === 'redis' ? await OwnRedis.start(directory) : null;
    const settings = await cloudSettings({ directory, installation, queue, redis, env: options.env ?? {} });
    const cloud = new TestCloud({ ...parts, ...settings, directory, installation, redis });
    await Promise.all([cloud.mainApi.start(), cloud.supervisor.start()]).catch(async (error: unknown) => {
      await cloud.end();
      throw error;
    });
    return cloud;
  }

  /** Null when an app of the cloud does not answer. Then the cloud is stopped. */
  private static async takeOver(idle: IdleCloud, pool: CloudPool): Promise<TestCloud | null> {
    const { databaseUrl, directory } = idle;
    const installation = await renew(databaseUrl, directory, idle.installation);
    const database = testDatabaseAt(databaseUrl);
    const envs = { mainApiEnv: idle.mainApi.env, supervisorEnv: idle.supervisor.env };
    const cloud = new TestCloud({ database, directory, ownDirectory: directory, installation, pool, ...envs });
    const apps = [cloud.mainApi.adopt(idle.mainApi.pid), cloud.supervisor.adopt(idle.supervisor.pid)];
    if ((await Promise.all(apps)).every(Boolean)) return cloud;
    await cloud.end();
    return null;
  }

  runtime(key: string | null = this.key): ApiClient {
    return new ApiClient(this.supervisor.url, key);
  }

  protected override get supervisorOfAll() {
    return { supervisorUrl: this.supervisor.url };
  }

  /** Sends SIGKILL to PostgreSQL and recovers it. Only with its own database. */
  async crashDatabase(): Promise<void> {
    if (!(this.database instanceof OwnDatabase)) throw new TypeError('start the cloud with ownDatabase');
    await this.database.crash();
  }

  /** A second process of an app with its own ports. The test starts and stops it. */
  async another(name: AppName, env: Record<string, string> = {}): Promise<AppProcess> {
    const [port = 0, gatewayPort = 0] = await freePorts(2);
    // The processes of a cell have one public address. Otherwise the cell would move, also for the suites that borrow this cloud later.
    const address = 'SUPERVISOR_CELL' in env ? {} : { SUPERVISOR_PUBLIC_URL: this.supervisor.url };
    const ownParts =
      name === 'main-api'
        ? { ...this.mainApiEnv, MAIN_API_PORT: String(port) }
        : { ...this.supervisorEnv, ...address, SUPERVISOR_PORT: String(port), GATEWAY_PORT: String(gatewayPort) };
    return new AppProcess(name, `http://127.0.0.1:${port}`, { ...ownParts, ...env }, this.directory, 2);
  }

  /** The logs of all node agents. */
  async agentLog(): Promise<string> {
    const nodes = await readdir(join(this.directory, 'nodes')).catch(() => []);
    const logs = nodes.map((node) =>
      readFile(join(this.directory, 'nodes', node, 'agent.log'), 'utf8').catch(() => ''),
    );
    return (await Promise.all(logs)).join('');
  }

  /** Processes with the flag of this installation's nodes. */
  async nodeProcesses(): Promise<NodeProcess[]> {
    return nodeProcesses(this.installation.installation);
  }

  /** Stops everything. A borrowed and idle cloud is given back to the pool instead. */
  async stop(): Promise<void> {
    if (!(await this.giveBack())) await this.end();
  }

  private async giveBack(): Promise<boolean> {
    const { pool } = this.parts;
    if (!pool || !this.mainApi.isRunning || !this.supervisor.isRunning) return false;
    // Without workers there is no background work.
    if (this.mainApiEnv['LANDLORD_ROLE'] !== 'api' && (await isAtWork(this.sql))) return false;
    await this.sql.end();
    pool.give({
      databaseUrl: this.database.url,
      directory: this.directory,
      installation: this.installation,
      mainApi: { pid: this.mainApi.pid, env: this.mainApiEnv },
      supervisor: { pid: this.supervisor.pid, env: this.supervisorEnv },
    });
    this.mainApi.letGo();
    this.supervisor.letGo();
    return true;
  }

  private async end(): Promise<void> {
    await Promise.all([this.mainApi.stop(), this.supervisor.stop()]);
    await killNodeProcesses(this.installation.installation);
    await this.redis?.stop();
    await this.sql.end();
    await this.database.drop();
    await rm(this.parts.ownDirectory, { recursive: true, force: true });
  }
}

const urlOf = (env: Record<string, string>, port: string): string => `http://127.0.0.1:${env[port]}`;
