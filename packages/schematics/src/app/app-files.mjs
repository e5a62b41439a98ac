// The files of a generated app. They follow apps/main-api.

export const sourcesOf = (names) => ({
  'src/main.ts': mainOf(names),
  'src/config.ts': configOf(names),
  [`src/${names.name}.module.ts`]: moduleOf(names),
  [`src/${names.name}.module.spec.ts`]: specOf(names),
  'src/platform/index.ts': `export * from './platform.module.js';\n`,
  'src/platform/platform.module.ts': platformOf(names),
});

const mainOf = ({ name, Name, CONSTANT, words }) => `import 'reflect-metadata';
import { configuredLimits } from '@libs/domain/connection-settings';
import { readTls } from '@libs/domain/settings';
import { listenFailed, outliveOutages, requireListeners } from '@libs/domain/starts';
import { createApp, endStart, PinoLogger } from '@libs/http';
import { apiListener, readConfig } from './config.js';
import { ${Name}Module } from './${name}.module.js';

try {
  const config = readConfig();
  const logger = new PinoLogger({ level: config.LOG_LEVEL, app: '${name}' });
  outliveOutages((err) => logger.warn({ err }, 'a failure of the database or the disk reached no caller', 'Process'));
  const listener = apiListener(config);
  // Before the framework starts: a start that cannot succeed must begin no work, and end with one message.
  await requireListeners([listener]);
  const tls = readTls(config);
  // Connections have the limits of the main API.
  const connections = configuredLimits('main-api', { ...config, hasTls: tls !== undefined });
  const options = { logger, listener: 'main-api', connections, trustedProxies: config.TRUSTED_PROXIES, tls } as const;
  const app = await createApp(${Name}Module.forRoot(config), options);
  await app.listen(config.${CONSTANT}_PORT, config.${CONSTANT}_HOST).catch((error: unknown) => listenFailed(listener, error));
  logger.log({ port: config.${CONSTANT}_PORT }, '${words}: listening', 'Boot');
} catch (error) {
  endStart(error);
}
`;

const configOf = ({
  name,
  Name,
  CONSTANT,
  words,
  port,
}) => `import { API_CONNECTION_SETTINGS } from '@libs/domain/connection-settings';
import { parseSettings, portSetting, SHARED_SETTINGS } from '@libs/domain/settings';
import type { Listener } from '@libs/domain/starts';
import { z } from 'zod';

/** The settings of the app ${name}. */
export const ${CONSTANT}_SETTINGS = z.object({
  ...SHARED_SETTINGS,
  ...API_CONNECTION_SETTINGS,
  ${CONSTANT}_PORT: portSetting.default(${port}).describe('The port of the app ${words}.'),
  ${CONSTANT}_HOST: z.string().default('127.0.0.1').describe('The address that the app ${words} listens on.'),
});

/** The settings, read once at the start. */
export type ${Name}Config = z.output<typeof ${CONSTANT}_SETTINGS>;

/** @throws ConfigInvalid naming every problem. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ${Name}Config {
  return parseSettings(${CONSTANT}_SETTINGS, environment);
}

export const apiListener = (config: ${Name}Config): Listener => ({
  port: config.${CONSTANT}_PORT,
  host: config.${CONSTANT}_HOST,
  user: 'the app ${words}',
  variable: '${CONSTANT}_PORT',
  hostVariable: '${CONSTANT}_HOST',
});

/** Injection token of the settings. */
export const ${CONSTANT}_CONFIG = Symbol('${name}.config');
`;

const moduleOf = ({ Name, words }) => `import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { ${Name}Config } from './config.js';
import { PlatformModule } from './platform/index.js';

/** The app for ${words}. */
@Module({})
export class ${Name}Module {
  static forRoot(config: ${Name}Config): DynamicModule {
    return { module: ${Name}Module, imports: [PlatformModule.forRoot(config), ...MODULES] };
  }
}

const MODULES: Type[] = [
  // Each has its folder.
];
`;

const platformOf = ({ name, Name, CONSTANT }) => `import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ACCESS_STORES, AccessModule, DatabaseReadiness, WrittenDirectory } from '@libs/access';
import { HealthController, HttpModule, Readiness } from '@libs/http';
import { PersistenceModule } from '@libs/persistence/module';
import { ${CONSTANT}_CONFIG, type ${Name}Config } from '../config.js';

/** The database, the health and the guard. The guard fails closed: it refuses a route that does not declare its callers. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(config: ${Name}Config): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        PersistenceModule.forRoot({
          databaseUrl: config.DATABASE_URL,
          secretKeys: config.LANDLORD_SECRET_KEYS,
          applicationName: 'landlord-${name}',
        }),
        AccessModule.forRoot(config),
        HttpModule.forRoot(ACCESS_STORES, config),
      ],
      controllers: [HealthController],
      providers: [
        { provide: ${CONSTANT}_CONFIG, useValue: config },
        { provide: WrittenDirectory, useValue: { path: null } },
        { provide: Readiness, useClass: DatabaseReadiness },
      ],
      exports: [${CONSTANT}_CONFIG],
    };
  }
}
`;

const specOf = ({ name, Name }) => `import { randomBytes } from 'node:crypto';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { createApp, PinoLogger } from '@libs/http';
import { createTestDatabase, seedTestInstallation, type TestDatabase } from '@libs/testing';
import { readConfig } from './config.js';
import { ${Name}Module } from './${name}.module.js';

@Controller('undeclared')
class UndeclaredController {
  @Get()
  read(): string {
    return 'never sent';
  }
}

describe('${Name}Module', () => {
  let database: TestDatabase;
  let app: INestApplication;
  let key: string;
  const read = async (path: string): Promise<Response> =>
    fetch(\`\${await app.getUrl()}\${path}\`, { headers: { 'ld-api-key': key } });

  beforeAll(async () => {
    database = await createTestDatabase();
    const installation = await seedTestInstallation(database.url);
    key = installation.api_key ?? '';
    const config = readConfig({
      DATABASE_URL: installation.role_urls.main_api,
      LANDLORD_SECRET_KEYS: \`k1:\${randomBytes(32).toString('base64')}\`,
    });
    const logger = new PinoLogger({ level: 'silent', app: '${name}' });
    const module = { ...${Name}Module.forRoot(config), controllers: [UndeclaredController] };
    app = await createApp(module, { logger, listener: 'main-api', trustedProxies: [] });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it.each(['/health/live', '/health/ready'])('answers %s', async (path) => {
    const answer = await read(path);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok' });
  });

  it('refuses a route that does not declare its callers, also with a valid key', async () => {
    const answer = await read('/undeclared');

    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'unauthenticated' });
  });
});
`;
