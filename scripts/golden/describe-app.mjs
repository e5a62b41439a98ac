// Prints the OpenAPI document of the given app. Preview mode creates the container without instances, so no database is
// needed. `test/architecture/openapi.spec.ts` checks that a served document is the same.
import { NestFactory } from '@nestjs/core';
import { built, loadApp } from './apps.mjs';

const { module, description } = await loadApp(process.argv[2]);
const { describeApi } = await built('libs/http/src/index.js');
const silent = () => undefined;
// Two classes with the same name share one schema, which is then wrong for one of them.
const warnings = [];
const logger = { log: silent, error: console.error, warn: (message) => warnings.push(String(message)) };
const app = await NestFactory.create(module, { preview: true, logger });
const document = describeApi(app, { ...description, url: 'http://localhost' });
const duplicates = warnings.filter((warning) => warning.startsWith('Duplicate DTO'));
for (const warning of duplicates) console.error(warning);
process.stdout.write(JSON.stringify(document), () => process.exit(duplicates.length > 0 ? 1 : 0));
