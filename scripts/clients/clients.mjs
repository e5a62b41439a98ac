// The generated files of packages/sdk, packages/cli and packages/console. scripts/generate-if-stale.mjs says when they are written.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { ROOT } from '../build-stamp.mjs';
import { apiFile } from './api-file.mjs';
import { cliFile } from './cli-file.mjs';
import { consoleFile } from './console-file.mjs';
import { publishedDocuments, readDocuments } from './documents.mjs';
import { mcpFile } from './mcp-file.mjs';

const absolute = (path) => join(ROOT, path);

/** Makes the folders contain exactly these files. A file that is the same keeps its time, and a reader never sees half a file. */
export async function writeClients([sdk, cli, console]) {
  const files = await clientFiles(sdk, cli, console);
  for (const [path, text] of Object.entries(files)) if (current(path) !== text) write(absolute(path), text);
  for (const folder of [sdk, cli, console])
    for (const name of readdirSync(absolute(folder)))
      if (!(`${folder}/${name}` in files)) rmSync(join(absolute(folder), name));
}

async function clientFiles(sdk, cli, console) {
  const documents = readDocuments();
  const types = {};
  for (const [name, document] of Object.entries(publishedDocuments()))
    types[`${sdk}/${name}-types.ts`] = await typesFile(document);
  return {
    ...types,
    ...apiFile(sdk, documents),
    ...cliFile(cli, documents),
    ...mcpFile(cli, documents),
    ...consoleFile(console, documents),
  };
}

const current = (path) => (existsSync(absolute(path)) ? readFileSync(absolute(path), 'utf8') : null);

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

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
