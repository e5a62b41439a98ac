// The two built apps with sample settings; neither app is started.
import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST } from '../build-stamp.mjs';

/** Imports a module of `dist`. */
export const built = (path) => import(pathToFileURL(join(DIST, path)).href);

const ROOT_MODULES = { 'main-api': 'MainApiModule', supervisor: 'SupervisorModule' };
export const APP_NAMES = Object.keys(ROOT_MODULES);

// With two apps in one process, the module of TypeORM warns about a second data source.
Logger.overrideLogger(false);

/** An app: its name, its root module and its API description. */
export async function loadApp(name) {
  const { readConfig } = await built(`apps/${name}/src/config.js`);
  const modules = await built(`apps/${name}/src/${name}.module.js`);
  const { API_DESCRIPTION } = await built(`apps/${name}/src/docs/api-description.js`);
  return { name, module: modules[ROOT_MODULES[name]].forRoot(withSettings(readConfig)), description: API_DESCRIPTION };
}

/** Golden files must not depend on environment variables of the developer. */
function withSettings(readConfig) {
  const own = process.env;
  process.env = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    LANDLORD_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    QUEUE_URL: 'off',
  };
  try {
    return readConfig();
  } finally {
    process.env = own;
  }
}
