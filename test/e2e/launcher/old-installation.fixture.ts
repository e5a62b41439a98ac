import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDatabase, stopDatabase } from '@libs/launcher';
import {
  ApiClient,
  AppProcess,
  eventually,
  freePorts,
  killNodeProcesses,
  nextPortRange,
  nodeProcesses,
  type ApiAnswer,
} from '@libs/testing';
import pg from 'pg';
import { runLandlordOf } from './run-landlord.js';

/** The file with the first tenant, in the data directory. */
export interface Bootstrap {
  tenant_id: number;
  division_id: number;
  environment_id: number;
  api_key: string;
  owner_email: string;
  owner_password: string;
}

/** A directory, and the checkout of the older release in it. */
interface OldDirectories {
  directory: string;
  checkout: string;
}

type Environment = Record<string, string>;

const HERE = process.cwd();
const PATIENCE_MS = 120_000;

/** A command of an operator failed. */
class CommandFailed extends Error {}

/**
 * An installation with an own PostgreSQL and one process for each app, as docs/installation.md describes it. An older
 * release creates and runs the installation. An upgrade replaces its apps by the apps of this checkout.
 */
export class OldInstallation {
  private apps: AppProcess[] = [];
  readonly sql: pg.Pool;
  readonly bootstrap: Bootstrap;

  private constructor(
    private readonly directories: OldDirectories,
    private readonly settings: Environment,
    readonly name: string,
  ) {
    this.bootstrap = JSON.parse(readFileSync(join(this.dataDir, 'bootstrap.json'), 'utf8')) as Bootstrap;
    this.sql = new pg.Pool({ connectionString: settings['DATABASE_URL'], max: 2 });
    this.sql.on('error', () => undefined);
  }

  /** Creates the database and the first tenant, and starts the apps, all with the older release. */
  static async start(directories: OldDirectories, more: Environment): Promise<OldInstallation> {
    const settings = { ...(await settingsIn(directories.directory)), ...more };
    await landlord(directories.checkout, settings, 'migrate');
    const client = new pg.Client({ connectionString: settings.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select name from installation');
    await client.end();
    const installation = new OldInstallation(directories, settings, rows[0]?.name ?? '');
    await installation.startApps(directories.checkout, 1);
    return installation;
  }

  get dataDir(): string {
    return this.settings['LANDLORD_DATA_DIR'] ?? '';
  }

  get tenant(): string {
    return `/tenants/${this.bootstrap.tenant_id}`;
  }

  get division(): string {
    return `${this.tenant}/divisions/${this.bootstrap.division_id}`;
  }

  get environment(): string {
    return `${this.division}/environments/${this.bootstrap.environment_id}`;
  }

  main(key: string | null = this.bootstrap.api_key): ApiClient {
    return new ApiClient(`http://127.0.0.1:${this.settings['MAIN_API_PORT']}`, key);
  }

  runtime(): ApiClient {
    return new ApiClient(`http://127.0.0.1:${this.settings['SUPERVISOR_PORT']}`, this.bootstrap.api_key);
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.sql.query<Row>(text, values)).rows;
  }

  /** Runs a command of this checkout. Returns its output. */
  landlord(...args: string[]): Promise<string> {
    return landlord(HERE, this.settings, ...args);
  }

  /** Sends SIGTERM to both apps. Agents and brokers continue. */
  async stopApps(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.stop()));
  }

  async startNewApps(): Promise<void> {
    await this.startApps(HERE, 2);
  }

  /** The status of an operation that has ended. */
  async outcome(operation: string | null): Promise<{ status: string; reason: string | null }> {
    return eventually(
      `operation ${operation} ends`,
      async () => {
        const { body } = await this.main().get(`${this.tenant}/operations/${operation}?wait=20`);
        return ['succeeded', 'failed', 'cancelled'].includes(body?.status) ? body : null;
      },
      PATIENCE_MS,
    );
  }

  /** Requests a deployment. Returns its id and its operation. */
  async order(path: string, body: object): Promise<{ id: string; operation: string }> {
    const accepted = await this.main().post(path, { cloud: 'aws', region: 'us-east-1', ...body });
    if (accepted.status !== 202) throw new CommandFailed(JSON.stringify(accepted.body));
    return { id: accepted.headers.get('ld-deployment') ?? '', operation: accepted.headers.get('ld-operation') ?? '' };
  }

  detail(deployment: string): Promise<ApiAnswer> {
    return this.runtime().get(`/deployments/${deployment}`);
  }

  /** Agents and brokers. */
  nodeProcesses(): Promise<{ pid: number; command: string }[]> {
    return nodeProcesses(this.name);
  }

  /** Stops everything that belongs to the installation. */
  async stop(): Promise<void> {
    await this.stopApps();
    await killNodeProcesses(this.name);
    if (!this.sql.ended) await this.sql.end();
    await stopDatabase({ dataDir: this.directories.directory });
  }

  private async startApps(checkout: string, instance: number): Promise<void> {
    const { LANDLORD_SECRET_KEYS: keys = '', DATABASE_URL: url = '' } = this.settings;
    const app = (name: 'main-api' | 'supervisor', port: string, role: string): AppProcess => {
      const env = { ...this.settings, DATABASE_URL: roleUrl(url, role, keys) };
      const address = `http://127.0.0.1:${this.settings[port]}`;
      return new AppProcess(name, address, env, this.directories.directory, instance, checkout);
    };
    this.apps = [
      app('main-api', 'MAIN_API_PORT', 'landlord_main_api'),
      app('supervisor', 'SUPERVISOR_PORT', 'landlord_supervisor'),
    ];
    await Promise.all(this.apps.map((one) => one.start()));
  }
}

/** Both releases get the same settings: database, keys, data directory and ports. */
async function settingsIn(directory: string) {
  const dataDir = join(directory, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const { url } = await ensureDatabase({ dataDir: directory });
  const [main, supervisor, gateway] = await freePorts(3);
  return {
    DATABASE_URL: url,
    LANDLORD_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LANDLORD_DATA_DIR: dataDir,
    MAIN_API_PORT: String(main),
    SUPERVISOR_PORT: String(supervisor),
    GATEWAY_PORT: String(gateway),
    LOCAL_PORT_RANGE: nextPortRange(),
    LOCAL_BROKER: 'embedded',
    LOG_LEVEL: 'debug',
    RATE_LIMIT: 'off',
  };
}

/**
 * The URL of an app's own role. `migrate` derives the passwords of the roles from the secret key. The derivation stays
 * the same over releases: while `migrate` of one release runs, apps of the other release connect.
 */
function roleUrl(databaseUrl: string, role: string, keys: string): string {
  const key = Buffer.from(keys.slice('k1:'.length), 'base64');
  const roleKey = Buffer.from(hkdfSync('sha256', key, '', 'landlord database roles', 32));
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = createHmac('sha256', roleKey).update(role).digest('base64url');
  return url.href;
}

async function landlord(checkout: string, settings: Environment, ...args: string[]): Promise<string> {
  const { code, output } = await runLandlordOf(checkout, settings, ...args);
  if (code !== 0) throw new CommandFailed(`landlord ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
