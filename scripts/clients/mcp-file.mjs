import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';
import { operationsOf, resolve } from './documents.mjs';
import { READ_TOOLS } from './mcp-read-tools.mjs';
import { WRITE_TOOLS } from './mcp-write-tools.mjs';

const HEAD = '// Made from the API descriptions in contract/. Do not edit, and do not commit.\n';
const PATTERNS = 'libs/domain/src/secret-patterns.ts';
/** A model reads the whole list. The API refuses other values, and names the right ones. */
const MOST_CHOICES = 6;
/** Longer objects of numbers are measurements, whose names explain themselves. */
const MOST_NUMBERS = 12;
/** What a schema of an input keeps. The API checks lengths and ranges, and names each fault. */
const KEPT_OF_INPUT = ['type', 'enum', 'required'];
/** "The cloud." says no more than the name of the member. */
const SHORTEST_DESCRIPTION = 20;
/** A secret of the API has such a name, or is marked. Members with these names that are no secrets: names of things, and references. */
const SECRET_NAME = /password|secret$|token|credential|private_key|api_key|access_key/i;
const NO_SECRET_TYPES = ['boolean', 'object'];

/**
 * The schemas of the tools of `landlord mcp`, from the API descriptions, and the patterns of secrets that the server masks in texts. A
 * person installs the command line without the server, so the patterns are copied.
 */
export function mcpFile(target, documents) {
  const operations = new Map(operationsOf(documents).map((one) => [one.operation.operationId, one]));
  const find = (id) => operations.get(id) ?? refuse(`No document has the operation ${id}.`);
  const reads = Object.entries(READ_TOOLS).map(([name, tool]) => [name, schemasOf(tool, find)]);
  const writes = Object.entries(WRITE_TOOLS).map(([name, tool]) => [
    name,
    { ...schemasOf(tool, find), permissions: permissionsOf(tool.calls, find) },
  ]);
  const lines = [
    HEAD,
    "import type { ToolSchemas, WriteToolSchemas } from '../mcp/tool-schemas.js';",
    '',
    `export const READ_SCHEMAS = ${literal(reads)} satisfies Record<string, ToolSchemas>;`,
    '',
    `export const WRITE_SCHEMAS = ${literal(writes)} satisfies Record<string, WriteToolSchemas>;`,
    '',
    `export const VERSION = '${version()}';`,
    '',
    '/** Permissions that allow changes. */',
    `export const RIGHTS_TO_CHANGE: readonly string[] = ${JSON.stringify(rightsToChange(find), null, 1)};`,
  ];
  const patterns = readFileSync(join(ROOT, PATTERNS), 'utf8');
  return {
    [`${target}/mcp-schemas.ts`]: `${lines.join('\n')}\n`,
    [`${target}/secret-patterns.ts`]: `// Made from ${PATTERNS}. Do not edit, and do not commit.\n\n${patterns}`,
  };
}

const version = () => JSON.parse(readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8')).version;
const literal = (entries) => JSON.stringify(Object.fromEntries(entries), null, 1);
const permissionsOf = (ids, find) => [...new Set(ids.map((id) => find(id).operation['x-permission']).filter(Boolean))];

function rightsToChange(find) {
  const { schema } = find('permissions.check').parameters.find(({ name }) => name === 'permission');
  return schema.enum.filter((one) => one.endsWith(':manage'));
}

function refuse(message) {
  throw new TypeError(message);
}

function schemasOf({ input = {}, output }, find) {
  return { input: inputOf(input, find), output: outputOf(output, find) };
}

function inputOf({ own = {}, from = [], required = [], optional = [] }, find) {
  const properties = { ...own };
  const needed = new Set(required);
  for (const { operation, members } of from) {
    const { document, parameters, body } = find(operation);
    for (const member of members) {
      const parameter = parameters.find(({ in: place, name }) => place !== 'header' && name === member);
      const schema = parameter ?? body?.properties?.[member];
      if (!schema) refuse(`${operation} takes no ${member}.`);
      properties[member] = takenOf(
        document,
        parameter ? { ...resolve(document, parameter.schema), description: parameter.description } : schema,
      );
      if (parameter?.required || body?.required?.includes(member)) needed.add(member);
    }
  }
  for (const member of optional) needed.delete(member);
  return { type: 'object', properties, ...(needed.size > 0 && { required: [...needed] }) };
}

/** A schema without references, and without what a model does not need. */
function takenOf(document, schema) {
  const whole = flat(document, schema);
  const { properties, items, description } = whole;
  return {
    ...Object.fromEntries(KEPT_OF_INPUT.filter((key) => key in whole).map((key) => [key, whole[key]])),
    ...(whole.enum?.length > MOST_CHOICES && { enum: undefined }),
    ...(properties && { properties: mapped(properties, (one) => takenOf(document, one)) }),
    ...(items && { items: { ...takenOf(document, items), description: undefined } }),
    ...(description?.length > SHORTEST_DESCRIPTION && { description: description.split(/(?<=\.) /)[0] }),
  };
}

/** Each member of the answer, without descriptions and choices. */
function outputOf(output, find) {
  return {
    type: 'object',
    properties: mapped(output, (one) => (one.operation === undefined ? one : answerOf(one, find))),
  };
}

function answerOf({ operation: id, members, isList, path }, find) {
  const { document, operation } = find(id);
  const [, answer] = Object.entries(operation.responses).find(([code]) => code < 300);
  let schema = flat(document, resolve(document, answer).content['application/json'].schema);
  if (path) schema = flat(document, schema.properties[path] ?? refuse(`${id} answers without ${path}.`));
  if (isList !== (schema.type === 'array' || undefined)) refuse(`${id} ${path ?? ''} is a list, or is none.`);
  const item = isList ? flat(document, schema.items) : schema;
  const chosen = chosenOf(document, item, members, id);
  return isList ? { type: 'array', items: chosen } : chosen;
}

/** The members of an object, and of its objects. */
function chosenOf(document, schema, members, id) {
  const properties = {};
  const [tops, inner] = [[...new Set(members.map((one) => one.split('.')[0]))], (top) => innerOf(members, top)];
  for (const top of tops) {
    const one = schema.properties?.[top] ?? refuse(`${id} answers without ${top}.`);
    const whole = flat(document, one);
    refuseSecret(id, top, whole);
    properties[top] = inner(top).length === 0 ? wholeOf(document, whole, id) : partOf(document, whole, inner(top), id);
  }
  return { type: schema.type, properties };
}

const innerOf = (members, top) =>
  members.filter((one) => one.startsWith(`${top}.`)).map((one) => one.slice(top.length + 1));

function partOf(document, schema, members, id) {
  if (![schema.type].flat().includes('array')) return chosenOf(document, schema, members, id);
  return { type: schema.type, items: chosenOf(document, flat(document, schema.items), members, id) };
}

/** All members, down to the last. */
function wholeOf(document, schema, id) {
  const { type, properties, items } = schema;
  if (isOfNumbers(properties)) return { type, additionalProperties: { type: 'number' } };
  if (properties) return chosenOf(document, schema, Object.keys(properties), id);
  if (items) return { type, items: wholeOf(document, flat(document, items), id) };
  return type === undefined ? {} : { type };
}

const isOfNumbers = (properties = {}) =>
  Object.keys(properties).length > MOST_NUMBERS &&
  Object.values(properties).every(({ type }) => ['number', 'integer'].includes(type));

/** A tool must not return a secret, whatever its list of members says. */
function refuseSecret(id, name, { type, writeOnly, format }) {
  const isNamed = SECRET_NAME.test(name) && ![type].flat().some((one) => NO_SECRET_TYPES.includes(one));
  if (isNamed || writeOnly || format === 'password') refuse(`${id}: ${name} is a secret, which no tool returns.`);
}

/** A schema without references: `allOf` with one schema, and a schema or null. */
function flat(document, schema) {
  const own = resolve(document, schema);
  const parts = own.allOf?.map((one) => flat(document, one));
  if (parts) {
    const { allOf: _allOf, ...rest } = own;
    const properties = Object.assign({}, ...parts.map((one) => one.properties));
    const required = parts.flatMap((one) => one.required ?? []);
    return { ...parts[0], ...rest, ...(parts.length > 1 && { properties, required }) };
  }
  const [first, second] = own.anyOf ?? [];
  if (second?.type !== 'null' || own.anyOf.length > 2) return own.anyOf ? { description: own.description } : own;
  const { anyOf: _anyOf, ...rest } = own;
  const whole = flat(document, first);
  return { ...whole, ...rest, type: [whole.type, 'null'] };
}

const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, one]) => [name, change(one)]));
