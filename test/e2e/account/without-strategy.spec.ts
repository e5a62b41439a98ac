import { randomBytes } from 'node:crypto';
import { ACCESS, API_KEY_SCHEME, registerStrategies, type AccessRule } from '@libs/http';
import { createTestDatabase, seedTestInstallation, type TestDatabase } from '@libs/testing';
import type { INestApplication } from '@nestjs/common';
import passport from 'passport';
import { allRoutes, type AppRoute } from '../../architecture/sources/apps.js';
import { startMainApi, startSupervisor } from '../in-process/in-process-apps.js';

const isPublic = ({ handler }: AppRoute): boolean =>
  (Reflect.getMetadata(ACCESS, handler) as AccessRule | undefined)?.kind === 'public';

describe('Without the strategy of passport', () => {
  let database: TestDatabase;
  let installation: Awaited<ReturnType<typeof seedTestInstallation>>;
  let apps: Record<AppRoute['app'], INestApplication>;

  beforeAll(async () => {
    database = await createTestDatabase();
    installation = await seedTestInstallation(database.url);
    const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
    const { main_api: mainApi, supervisor } = installation.role_urls;
    apps = {
      'main-api': await startMainApi({ url: mainApi, secretKeys }),
      supervisor: await startSupervisor({ url: supervisor, secretKeys }),
    };
  });
  afterEach(registerStrategies);
  afterAll(async () => {
    await Promise.all(Object.values(apps).map((app) => app.close()));
    await database.drop();
  });

  const status = async ({ app, method, path }: AppRoute): Promise<number> => {
    const url = `${await apps[app].getUrl()}${path.replaceAll('\\:', ':').replace(/:\w+/g, '1')}`;
    const answer = await fetch(url, {
      method,
      headers: { 'ld-api-key': installation.api_key ?? '' },
      redirect: 'manual',
    });
    return answer.status;
  };

  it('every route that needs a caller fails, and no other one does', async () => {
    const routes = allRoutes();
    passport.unuse(API_KEY_SCHEME);
    const failures: string[] = [];
    for (const route of routes) if ((await status(route)) === 500) failures.push(route.title);

    expect(failures).toEqual(routes.filter((route) => !isPublic(route)).map(({ title }) => title));
    expect(failures.length).toBeGreaterThan(150);
  });

  it('the routes answer again with it', async () => {
    const reads = allRoutes().filter(({ method }) => method === 'GET');
    const statuses = await Promise.all(reads.map(status));

    expect(statuses).not.toContain(500);
    expect(statuses).toContain(200);
  });
});
