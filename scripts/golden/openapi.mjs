import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { APP_NAMES } from './apps.mjs';

const DESCRIBE = join(import.meta.dirname, 'describe-app.mjs');

/**
 * The OpenAPI document of each app, each created in its own process as in production. Otherwise decorators would mix
 * the metadata of handlers with the same name in both apps.
 */
export async function openApiFiles() {
  const documents = await Promise.all(
    APP_NAMES.map(async (name) => {
      const { stdout } = await promisify(execFile)(process.execPath, [DESCRIBE, name], { maxBuffer: 2 ** 28 });
      return [`openapi.${name}.json`, `${JSON.stringify(inOrder(JSON.parse(stdout)), null, 2)}\n`];
    }),
  );
  return Object.fromEntries(documents);
}

/** Sorted by name: the import order of the modules must not matter. */
function inOrder({ paths, components, ...rest }) {
  return { ...rest, paths: sorted(paths), components: { ...components, schemas: sorted(components.schemas) } };
}

const sorted = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
