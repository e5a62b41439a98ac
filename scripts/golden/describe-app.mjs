// Prints the OpenAPI document of the app that is named. Preview mode makes the container without its contents, so no
// database is needed; `test/architecture/openapi.spec.ts` proves that a served document is the same.
import { NestFactory } from '@nestjs/core';
import { built, loadApp } from './apps.mjs';

const { module, description } = await loadApp(process.argv[2]);
const { describeApi } = await built('libs/http/src/index.js');
const app = await NestFactory.create(module, { preview: true, logger: false });
process.stdout.write(JSON.stringify(describeApi(app, { ...description, url: 'http://localhost' })), () =>
  process.exit(0),
);
