// What the Terraform provider needs of the API descriptions. packages/terraform-provider-landlord/operations.json has the only list of
// the requests that the provider sends.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';
import { readDocuments, resolve } from './documents.mjs';

export const PROVIDER = join(ROOT, 'packages/terraform-provider-landlord');
export const TEXTS = 'internal/api/texts/texts.go';
/** The documents repeat this object without a name in requests and answers. */
const PERMISSIONS = 'Permissions';
const isPermissions = ({ properties }) => Boolean(properties?.tenant && properties.divisions);

/** The requests of the provider itself, of each resource and of each data source. */
export const readOperations = () => JSON.parse(readFileSync(join(PROVIDER, 'operations.json'), 'utf8'));

/** All of them. */
export function usedOperations() {
  const { provider, resources, dataSources } = readOperations();
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

/**
 * OpenAPI 3.0, in which each Go type is a plain one: an enum, a time and an address are strings, a null member is sent as null, and of
 * several forms that a request takes, the provider sends the first.
 */
function simpler(value) {
  if (Array.isArray(value)) return value.map(simpler);
  if (value === null || typeof value !== 'object') return value;
  const { enum: _values, default: _default, pattern: _pattern, ...rest } = value;
  if (['date-time', 'email'].includes(rest.format)) delete rest.format;
  if (rest.oneOf) return simpler(rest.oneOf[0]);
  if (rest.type === 'number') rest.format = 'double';
  if (isPermissions(rest)) return { $ref: `#/components/schemas/${PERMISSIONS}` };
  if (Array.isArray(rest.type))
    return simpler({ ...rest, type: rest.type.find((one) => one !== 'null'), nullable: true });
  if (rest.allOf?.length === 1) return simpler(rest.allOf[0]);
  const [first, second] = rest.anyOf ?? [];
  if (first?.$ref && second?.type === 'null') return { allOf: [first], nullable: true };
  // A value of any kind.
  if (rest.anyOf) return {};
  return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, simpler(one)]));
}

/** The names in the paths and queries of a document. */
const parametersOf = ({ paths }) =>
  new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    ),
  );

/** The description of each member of the used schemas and queries, and the values of each enum. */
function textsOf(documents, used) {
  const [descriptions, values] = [{}, {}];
  for (const document of Object.values(documents)) {
    const slim = slimDocument(document, used);
    for (const name of Object.keys(slim.components.schemas))
      if (name !== PERMISSIONS) collect(document, name, document.components.schemas[name]);
    const named = parametersOf(slim);
    for (const { name, description } of Object.values(document.components.parameters))
      if (named.has(name) && name !== 'code') descriptions[`path.${name}`] ??= description;
  }
  return { descriptions, values };

  function collect(document, path, schema) {
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      const place = `${path}.${member}`;
      if (property.description) descriptions[place] = property.description.replaceAll('\n', ' ');
      const listed = property.enum ?? resolve(document, property).enum ?? property.items?.enum;
      const choices = listed?.filter((one) => one !== null);
      if (choices) values[place] = choices;
      if (property.type === 'object') collect(document, place, property);
    }
  }
}

/** The Go file before gofmt. Its digest changes with the documents of the types and requests, so that old ones are found without Go. */
export function textsFile() {
  const [documents, used] = [readDocuments(), usedOperations()];
  const { descriptions, values } = textsOf(documents, used);
  const slim = Object.values(documents).map((document) => slimDocument(document, used));
  const digest = createHash('sha256').update(JSON.stringify(slim)).digest('hex');
  const sorted = (all) => Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  const quote = (text) => JSON.stringify(text);
  return `// Code generated by npm run terraform from the API descriptions. DO NOT EDIT.
// Digest of what the types and requests are generated from: ${digest}

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
