import { Logger, type DynamicModule } from '@nestjs/common';
import { readConfig as readMainApiConfig } from '../../../apps/main-api/src/config.js';
import { MainApiModule } from '../../../apps/main-api/src/main-api.module.js';
import { readConfig as readSupervisorConfig } from '../../../apps/supervisor/src/config.js';
import { SupervisorModule } from '../../../apps/supervisor/src/supervisor.module.js';
import { routesOf, type Route } from './route-walk.mjs';

const SETTINGS = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  LANDLORD_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  QUEUE_URL: 'off',
};

/** A route and its app. */
export interface AppRoute extends Route {
  app: 'main-api' | 'supervisor';
  /** Name of the route in messages of tests. */
  title: string;
}

/** All routes of both apps in the role `all`, read from the metadata; no app is started. */
export function allRoutes(): AppRoute[] {
  const [mainApi, supervisor] = appModules();
  return [...titled('main-api', routesOf(mainApi)), ...titled('supervisor', routesOf(supervisor))];
}

/** The root modules of the main API and the Supervisor in the role `all`. No app is started. */
export function appModules(): [mainApi: DynamicModule, supervisor: DynamicModule] {
  // The module of TypeORM warns about two data sources in one process; here two apps share a process.
  Logger.overrideLogger(false);
  const own = process.env;
  process.env = { ...SETTINGS };
  try {
    return [MainApiModule.forRoot(readMainApiConfig()), SupervisorModule.forRoot(readSupervisorConfig())];
  } finally {
    process.env = own;
  }
}

const titled = (app: AppRoute['app'], routes: Route[]): AppRoute[] =>
  routes.map((route) => ({ ...route, app, title: `${app}: ${route.method} ${route.path}` }));
