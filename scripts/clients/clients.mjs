// npm run clients: writes the generated files of packages/sdk, packages/cli and packages/console from the OpenAPI documents in contract. With --check: fails if a file would change.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { ROOT } from '../build-stamp.mjs';
import { differences } from '../golden/differences.mjs';
import { apiFile } from './api-file.mjs';
import { cliFile } from './cli-file.mjs';
import { consoleFile } from './console-file.mjs';
import { readDocuments } from './documents.mjs';
import { mcpFile } from './mcp-file.mjs';

const SDK = 'packages/sdk/src/generated';
const CLI = 'packages/cli/src/generated';
const CONSOLE = 'packages/console/src/generated';
const TARGETS = [SDK, CLI, CONSOLE];
const absolute = (path) => join(ROOT, path);

/** The types of the schemas, and of each request and its successful answer. Every refusal is a `Problem`. */
async function typesFile(document) {
  const folder = mkdtempSync(join(tmpdir(), 'landlord-sdk-'));
  try {
    await createClient({
      input: withoutRefusals(document),
      output: { path: folder, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    return readFileSync(join(folder, 'types.gen.ts'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withoutRefusals(document) {
  const copy = structuredClone(document);
  for (const item of Object.values(copy.paths))
    for (const operation of Object.values(item))
      for (const status of Object.keys(operation.responses)) if (status >= 300) delete operation.responses[status];
  return copy;
}

const documents = readDocuments();
const files = {};
for (const [name, document] of Object.entries(documents)) files[`${SDK}/${name}-types.ts`] = await typesFile(document);
Object.assign(files, apiFile(SDK, documents), cliFile(CLI, documents), mcpFile(CLI, documents));
Object.assign(files, consoleFile(CONSOLE, documents));

const committed = (path) => (existsSync(absolute(path)) ? readFileSync(absolute(path), 'utf8') : '');
const present = TARGETS.flatMap((target) =>
  existsSync(absolute(target)) ? readdirSync(absolute(target)).map((name) => `${target}/${name}`) : [],
);
const abandoned = present.filter((path) => !(path in files));
if (process.argv.includes('--check')) {
  const changed = Object.entries(files).filter(([path, text]) => committed(path) !== text);
  for (const [path, text] of changed) console.error(`${path} differs:\n${differences(absolute(path), text)}`);
  for (const path of abandoned) console.error(`${path} is made by nothing.`);
  if (changed.length + abandoned.length > 0)
    console.error('When the change is meant: npm run clients, and commit the difference.');
  process.exit(changed.length + abandoned.length > 0 ? 1 : 0);
}
for (const target of TARGETS) mkdirSync(absolute(target), { recursive: true });
for (const path of abandoned) rmSync(absolute(path));
for (const [path, text] of Object.entries(files)) {
  if (committed(path) !== text) console.log(path);
  writeFileSync(absolute(path), text);
}
