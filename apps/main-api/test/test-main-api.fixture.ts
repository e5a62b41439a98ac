import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DRIVER_FEATURES, type PasswordCost } from '@libs/domain';
import { parseSettings } from '@libs/domain/settings';
import { createApp, PinoLogger, serveDocs, type AppFactory } from '@libs/http';
import type { Installation } from '@libs/persistence/migrations';
import { CellsRepository } from '@libs/persistence/organization';
import {
  CHEAP_PASSWORDS,
  createTestDatabase,
  freePorts,
  MainApiAccess,
  seedTestInstallation,
  type TestDatabase,
} from '@libs/testing';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { PasswordHasher } from '../src/account/passwords/password-hasher.js';
import { ConsoleFolder } from '../src/console/console-files.js';
import { MAIN_API_SETTINGS } from '../src/config.js';
import { API_DESCRIPTION, API_PARTS } from '../src/docs/api-description.js';
import { MainApiModule } from '../src/main-api.module.js';

interface Settings extends Record<string, string> {
  LANDLORD_DATA_DIR: string;
  MAIN_API_PORT: string;
}

interface TestOptions {
  docs?: boolean;
  passwordCost?: PasswordCost;
  consoleFolder?: string;
}

const LOG = 'main-api.log';
const SECRET_KEYS = `k1:${randomBytes(32).toString('base64')}`;

/** Drivers that do everything, so that a test can take away what it is about. */
const FEATURES = Object.fromEntries(DRIVER_FEATURES.map((feature) => [feature, 'real' as const]));

/** What the Supervisor of an installation announces. No Supervisor runs, so accepted operations stay pending. */
const CELL = {
  ...{ cell: 'local', url: 'http://127.0.0.1:4000', agent_url: 'http://127.0.0.1:4001', regions: ['*'] },
  ...{
    cloud_drivers: { aws: 'local', gcp: 'local' },
    features: { aws: FEATURES, gcp: FEATURES },
    broker_driver: 'embedded' as const,
    broker_version: '1',
    brokers: {},
    version: '1',
  },
};

const urlOf = ({ MAIN_API_PORT }: Settings): string => `http://127.0.0.1:${MAIN_API_PORT}`;

/**
 * The whole main API in the process of the test, over HTTP and with its own database. It starts in less than a second, so
 * the test of a module can use its routes. Tests with a Supervisor and nodes use `TestCloud`.
 */
export class TestMainApi extends MainApiAccess {
  readonly directory: string;
  readonly mainApi: { url: string; log(): string };

  private constructor(
    private readonly app: INestApplication,
    private readonly settings: Settings,
    private readonly database: TestDatabase,
    installation: Installation,
  ) {
    super(installation, { databaseUrl: database.url, secretKeys: SECRET_KEYS });
    this.mainApi = { url: urlOf(settings), log: () => readFileSync(join(this.directory, LOG), 'utf8') };
    this.directory = settings.LANDLORD_DATA_DIR;
  }

  /**
   * `environment`: settings as the process would read them. By default, requests are not limited and all workers run. `docs`:
   * serves the API description, which takes longer to start. `passwordCost`: a hash costs 3 milliseconds instead of 100.
   * `consoleFolder`: the built console; by default there is none.
   */
  static async open(
    environment: Record<string, string> = {},
    { docs = false, passwordCost = CHEAP_PASSWORDS, consoleFolder = '' }: TestOptions = {},
  ): Promise<TestMainApi> {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-main-api-'));
    const database = await createTestDatabase();
    const installation = await seedTestInstallation(database.url);
    const [port = 0] = await freePorts(1);
    const settings = {
      MAIN_API_PORT: String(port),
      DATABASE_URL: installation.role_urls.main_api,
      LANDLORD_SECRET_KEYS: SECRET_KEYS,
      LANDLORD_DATA_DIR: directory,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'debug',
      ...environment,
    };
    const app = await listen(settings, { docs, passwordCost, consoleFolder });
    const cloud = new TestMainApi(app, settings, database, installation);
    await cloud.asSupervisor((database) => new CellsRepository(database).announce(CELL, true));
    return cloud;
  }

  /** A second main API on the same database, with some other settings. The test closes it. */
  async another(environment: Record<string, string>): Promise<{ url: string; close(): Promise<void> }> {
    const [port = 0] = await freePorts(1);
    const settings = { ...this.settings, MAIN_API_PORT: String(port), ...environment };
    const app = await listen(settings, { docs: false, passwordCost: CHEAP_PASSWORDS, consoleFolder: '' });
    return { url: urlOf(settings), close: () => app.close() };
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.sql.end();
    await this.database.drop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

const withReplacements =
  ({ passwordCost, consoleFolder }: Required<TestOptions>): AppFactory =>
  async (module, adapter, options) => {
    const testing = Test.createTestingModule({ imports: [module] })
      .setLogger(options.logger as PinoLogger)
      .overrideProvider(PasswordHasher)
      .useValue(new PasswordHasher(undefined, passwordCost))
      .overrideProvider(ConsoleFolder)
      .useValue({ path: consoleFolder });
    return (await testing.compile()).createNestApplication(adapter, options);
  };

async function listen(settings: Settings, options: Required<TestOptions>): Promise<INestApplication> {
  const config = parseSettings(MAIN_API_SETTINGS, settings);
  const file = join(settings.LANDLORD_DATA_DIR, LOG);
  const logger = new PinoLogger({ level: config.LOG_LEVEL, app: 'main-api', file });
  const app = await createApp(MainApiModule.forRoot(config), {
    ...{ logger, listener: 'main-api', trustedProxies: config.TRUSTED_PROXIES },
    factory: withReplacements(options),
  });
  if (options.docs) serveDocs(app, { ...API_DESCRIPTION, url: '/' }, API_PARTS);
  await app.listen(config.MAIN_API_PORT, '127.0.0.1');
  return app;
}
