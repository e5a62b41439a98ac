import { NestFactory } from '@nestjs/core';
import { built, loadApps } from './apps.mjs';

/**
 * The OpenAPI document of each app. Preview mode makes the containers without their contents, so no database is
 * needed; `test/architecture/openapi.spec.ts` proves that a served document is the same.
 */
export async function openApiFiles() {
  const { describeApi } = await built('libs/http/src/index.js');
  const files = {};
  for (const { name, module, description } of await loadApps()) {
    const app = await NestFactory.create(module, { preview: true, logger: false });
    const document = describeApi(app, { ...description, url: 'http://localhost' });
    files[`openapi.${name}.json`] = `${JSON.stringify(inOrder(document), null, 2)}\n`;
  }
  return files;
}

/** By name, not in the order in which rooms happen to be imported. */
function inOrder({ paths, components, ...rest }) {
  return { ...rest, paths: sorted(paths), components: { ...components, schemas: sorted(components.schemas) } };
}

const sorted = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
