// Writes the Go client of the provider, and the texts and values of its attributes, from the API descriptions in test/golden.
// operations.json has the only list of the requests that the provider sends. With --check: fails if a file would change.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readDocuments, resolve } from '../../scripts/clients/documents.mjs';

const HERE = import.meta.dirname;
const TARGETS = { main: 'internal/api/mainapi/client.go', supervisor: 'internal/api/supervisorapi/client.go' };
const TEXTS = 'internal/api/texts/texts.go';
const UNAVAILABLE = 3;
/** The documents repeat this object without a name in requests and answers. */
const PERMISSIONS = 'Permissions';
const isPermissions = ({ properties }) => Boolean(properties?.tenant && properties.divisions);

/** The requests of the provider, without the order of operations.json. */
export function usedOperations() {
  const { provider, resources, dataSources } = JSON.parse(readFileSync(join(HERE, 'operations.json'), 'utf8'));
  return new Set([...provider, ...Object.values(resources).flat(), ...Object.values(dataSources).flat()]);
}

/** What the generator needs of a document: the used requests with their successful answers, in OpenAPI 3.0. */
export function slimDocument(document, used) {
  const paths = {};
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      if (!used.has(operation.operationId)) continue;
      const parameters = (operation.parameters ?? [])
        .map((one) => resolve(document, one))
        // The transport sends the headers.
        .filter((one) => one.in !== 'header');
      const responses = Object.fromEntries(
        Object.entries(operation.responses)
          .filter(([status]) => status < 300)
          .map(([status, { description, content }]) => [status, { description, content }]),
      );
      const { operationId, requestBody } = operation;
      paths[path] = { ...paths[path], [method]: { operationId, parameters, requestBody, responses } };
    }
  const slim = simpler({ openapi: '3.0.3', info: document.info, paths });
  slim.components = { schemas: reachable(document, slim) };
  return slim;
}

/** The schemas that the document refers to, and those that these refer to. */
function reachable(document, slim) {
  const schemas = {};
  const visit = (value) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name in schemas) continue;
      schemas[name] = name === PERMISSIONS ? permissionsIn(document) : simpler(document.components.schemas[name]);
      visit(schemas[name]);
    }
  };
  visit(slim);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function permissionsIn(document) {
  const { tenant, division, environment, divisions } =
    document.components.schemas.CreateRoleDto.properties.permissions.properties;
  return { type: 'object', properties: simpler({ tenant, division, environment, divisions }) };
}

/** OpenAPI 3.0, in which each Go type is a plain one: an enum and a time are strings, and a null member is sent as null. */
function simpler(value) {
  if (Array.isArray(value)) return value.map(simpler);
  if (value === null || typeof value !== 'object') return value;
  const { enum: _values, default: _default, pattern: _pattern, ...rest } = value;
  if (rest.format === 'date-time') delete rest.format;
  if (rest.type === 'number') rest.format = 'double';
  if (isPermissions(rest)) return { $ref: `#/components/schemas/${PERMISSIONS}` };
  if (Array.isArray(rest.type))
    return simpler({ ...rest, type: rest.type.find((one) => one !== 'null'), nullable: true });
  if (rest.allOf?.length === 1) return simpler(rest.allOf[0]);
  const [first, second] = rest.anyOf ?? [];
  if (first?.$ref && second?.type === 'null') return { allOf: [first], nullable: true };
  return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, simpler(one)]));
}

function clientOf(app, slim, folder) {
  const [input, config, output] = ['document.json', 'config.json', 'client.go'].map((name) =>
    join(folder, `${app}-${name}`),
  );
  writeFileSync(input, JSON.stringify(slim));
  writeFileSync(
    config,
    JSON.stringify({
      package: `${app}api`,
      output,
      generate: { models: true, client: true },
      'output-options': { 'nullable-type': true, 'include-operation-ids': [...usedOperations()] },
    }),
  );
  execFileSync('go', ['tool', 'oapi-codegen', '-config', config, input], {
    cwd: join(HERE, 'tools/generate'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return readFileSync(output, 'utf8');
}

/** The description of each member of the used schemas and queries, and the values of each enum. */
export function textsOf(documents, used) {
  const [descriptions, values] = [{}, {}];
  for (const document of Object.values(documents)) {
    const slim = slimDocument(document, used);
    for (const name of Object.keys(slim.components.schemas))
      if (name !== PERMISSIONS) collect(document, name, document.components.schemas[name]);
    for (const { name, description } of Object.values(document.components.parameters))
      if (name !== 'code') descriptions[`path.${name}`] ??= description;
  }
  return { descriptions, values };

  function collect(document, path, schema) {
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      const place = `${path}.${member}`;
      if (property.description) descriptions[place] = property.description.replaceAll('\n', ' ');
      const choices = property.enum ?? resolve(document, property).enum ?? property.items?.enum;
      if (choices) values[place] = choices;
      if (property.type === 'object') collect(document, place, property);
    }
  }
}

function textsFile({ descriptions, values }) {
  const sorted = (all) => Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  const quote = (text) => JSON.stringify(text);
  return `// Code generated by generate-client.mjs from the API descriptions. DO NOT EDIT.

// Package texts has what the API descriptions say about the members of requests and answers.
package texts

var descriptions = map[string]string{
${sorted(descriptions)
  .map(([place, text]) => `\t${quote(place)}: ${quote(text)},`)
  .join('\n')}
}

var values = map[string][]string{
${sorted(values)
  .map(([place, choices]) => `\t${quote(place)}: {${choices.map(quote).join(', ')}},`)
  .join('\n')}
}
`;
}

const gofmt = (text) => execFileSync('gofmt', { input: text, encoding: 'utf8' });

function generated() {
  const folder = mkdtempSync(join(tmpdir(), 'landlord-terraform-'));
  try {
    const [documents, used] = [readDocuments(), usedOperations()];
    const files = Object.entries(TARGETS).map(([app, target]) => [
      target,
      clientOf(app, slimDocument(documents[app], used), folder),
    ]);
    return Object.fromEntries([...files, [TEXTS, gofmt(textsFile(textsOf(documents, used)))]]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function main() {
  if (spawnSync('go', ['version']).status !== 0) {
    console.error('Skipped: the client of the Terraform provider is generated by Go, and there is no Go.');
    process.exit(UNAVAILABLE);
  }
  const isCheck = process.argv.includes('--check');
  const committed = (path) => (existsSync(join(HERE, path)) ? readFileSync(join(HERE, path), 'utf8') : '');
  const changed = Object.entries(generated()).filter(([path, text]) => committed(path) !== text);
  for (const [path, text] of changed) {
    console.log(`${relative(process.cwd(), join(HERE, path))}${isCheck ? ' differs' : ''}`);
    if (!isCheck) writeFileSync(join(HERE, path), text);
  }
  if (isCheck && changed.length > 0)
    console.error('When the change is meant: npm run terraform, and commit the difference.');
  process.exit(isCheck && changed.length > 0 ? 1 : 0);
}

if (process.argv[1] === import.meta.filename) main();
