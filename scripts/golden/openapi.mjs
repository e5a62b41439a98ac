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
      return [name, inOrder(JSON.parse(stdout))];
    }),
  );
  return {
    ...Object.fromEntries(
      documents.map(([name, text]) => [`openapi.${name}.json`, `${JSON.stringify(text, null, 2)}\n`]),
    ),
    'operation-ids.txt': operationIds(documents),
  };
}

/** Every operation id with its request: clients generate their methods from these ids. */
function operationIds(documents) {
  const lines = documents.flatMap(([name, { paths }]) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { operationId }]) => `${operationId}: ${name} ${method.toUpperCase()} ${path}`,
      ),
    ),
  );
  return `${lines.sort().join('\n')}\n`;
}

/** Sorted by name: the import order of the modules must not matter. */
function inOrder({ paths, components, ...rest }) {
  const sections = Object.entries(components).map(([section, named]) => [section, sorted(named)]);
  return { ...rest, paths: sorted(paths), components: Object.fromEntries(sections) };
}

const sorted = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
