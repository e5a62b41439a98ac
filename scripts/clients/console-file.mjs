import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';
import { flat, kindAndChoices, nameOf, OF_A_DIVISION, verbsOf } from './cli-file.mjs';
import { groupedBy, operationsOf } from './documents.mjs';

const HEAD = '// Made from the API descriptions in contract/. Do not edit, and do not commit.\n';
const TERRAFORM = 'packages/terraform-provider-landlord';
/** Requests that make a resource of Terraform, apart from `create`. */
const OTHER_CREATIONS = ['connectors.activate', 'backupSchedules.put'];
/** Attributes of Terraform with other names than the members of the request. */
const RENAMED = {
  'connectorConfigs.create': { connector_type: 'type', connector_key: 'key' },
  'deployments.createStarter': { name: 'deployment_name' },
};
/** What a form needs of a schema. The API checks the rest, and names each fault. */
const KEPT = { maxLength: 'longest', format: 'format', default: 'default' };
/** Forms hide what is typed, and forget it with the page. */
const SECRET_NAME = /password|secret|token|private_key/i;
/** Drafts leave these out: a code, an address that accepts everything, and objects that can have secrets. Forms show what is typed. */
const UNSTORED_NAME = /^(code|destination|values)$|headers$/;

/**
 * The requests that change something, with the members of their bodies, their commands and their resources of Terraform: the console
 * makes its forms from them.
 */
export function consoleFile(target, documents) {
  const verbs = new Map(verbsOf(documents).map((one) => [one.verb.operation, one]));
  const resources = resourcesByCreation();
  const reads = new Set(
    operationsOf(documents)
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path),
  );
  const shapes = operationsOf(documents)
    .filter(({ method }) => method !== 'GET')
    .map((one) => [one, { ...shapeOf(one, verbs, resources), ...recordOf(one, reads) }]);
  const groups = groupedBy(
    shapes.map(([{ group, name }, shape]) => ({ group, name, shape })),
    'group',
  );
  const lines = [...groups].map(
    ([group, all]) =>
      `  ${group}: ${JSON.stringify(Object.fromEntries(all.map(({ name, shape }) => [name, shape])))},\n`,
  );
  return {
    [`${target}/requests.ts`]: `${HEAD}\nimport type { RequestTable } from '../request/shape.js';\n\n/** Every request that changes something. */\nexport const REQUESTS = {\n${lines.join('')}} satisfies RequestTable;\n`,
    [`${target}/values.ts`]: `${HEAD}\n/** Every permission that a role can grant. */\nexport const PERMISSIONS = ${JSON.stringify(permissionsOf(documents), null, 1)} as const;\n\n/** The values by which lists can be filtered. */\nexport const FILTERS = ${JSON.stringify(filtersOf(documents), null, 1)} as const;\n`,
  };
}

function permissionsOf(documents) {
  const { parameters } = operationsOf(documents).find(({ operation }) => operation.operationId === 'permissions.check');
  return parameters.find(({ name }) => name === 'permission').schema.enum;
}

/** List → member of the query → values. */
function filtersOf(documents) {
  const lists = operationsOf(documents).filter(
    ({ method, name, path }) => method === 'GET' && !OF_A_DIVISION.test(name) && !path.endsWith('/permissions/check'),
  );
  return Object.fromEntries(
    lists.flatMap(({ operation, parameters }) => {
      const members = parameters
        .filter((one) => one.in === 'query' && one.schema.enum !== undefined)
        .map(({ name, schema }) => [name, schema.enum]);
      return members.length === 0 ? [] : [[operation.operationId, Object.fromEntries(members)]];
    }),
  );
}

function shapeOf({ document, group, name, path, method, operation, parameters, body }, verbs, resources) {
  const id = operation.operationId;
  const { verb } = verbs.get(id) ?? verbs.get(id.replace(OF_A_DIVISION, ''));
  const resource = resources.get(id);
  checkResource(id, resource, path, body);
  return {
    ...{ method, path, text: operation.summary ?? '' },
    command: `${nameOf(group)} ${verb.name}`,
    arguments: verb.arguments.map(({ member }) => member),
    ...(OF_A_DIVISION.test(name) ? { levels: ['division_id'] } : verb.levels.length > 0 && { levels: verb.levels }),
    ...(verb.waits && { waits: true }),
    ...(operation['x-permission'] && { permission: operation['x-permission'] }),
    ...(resource && { resource: { ...resource, required: undefined } }),
    members: verb.options.flatMap((option) => {
      const isQuery = parameters.some((one) => one.in === 'query' && one.name === option.member);
      const members = membersOf(document, schemaOf(document, option, body, parameters), option);
      return isQuery ? members.map((member) => ({ ...member, query: true })) : members;
    }),
  };
}

/** The path at which the record is read whose etag the request can name. */
function recordOf({ path, parameters }, reads) {
  if (!parameters.some(({ name }) => name === 'if-match')) return {};
  const record = [path, path.replace(/\/\w+$/, '')].find((one) => reads.has(one));
  return record === undefined ? {} : { record };
}

/** The schema of an option of the command: of a member of the query, of the body, or of an object in the body. */
function schemaOf(document, { member }, body, parameters) {
  const query = parameters.find((one) => one.in === 'query' && one.name === member);
  if (query) return query.schema;
  const [outer, inner] = member.split('.');
  const schema = body.properties[outer];
  return inner === undefined ? schema : plain(document, schema).properties[inner];
}

/** A member, or the members of an object: the console has a field for each, also where the command takes the object as JSON. */
function membersOf(document, schema, option) {
  const whole = plain(document, schema);
  if (whole.properties === undefined) return [memberOf(whole, option)];
  const { member, name, text } = option;
  return Object.entries(whole.properties).flatMap(([inner, one]) => {
    const part = plain(document, one);
    const required = option.required && whole.required?.includes(inner);
    return membersOf(document, one, {
      member: `${member}.${inner}`,
      name,
      required,
      text: one.description ?? part.description ?? text,
      ...kindAndChoices(document, part),
    });
  });
}

function memberOf(schema, { member, name, kind, choices, required, text }) {
  const kept = Object.entries(KEPT).flatMap(([from, to]) => (schema[from] === undefined ? [] : [[to, schema[from]]]));
  return {
    ...{ member, option: name, kind, text },
    ...(choices && { choices }),
    ...(required && { required }),
    ...(SECRET_NAME.test(member) && kind === 'text' && { secret: true }),
    ...(UNSTORED_NAME.test(member) && { unstored: true }),
    ...Object.fromEntries(kept),
  };
}

/** A schema without its null. */
function plain(document, schema) {
  const whole = flat(document, schema);
  const [first] = (whole.anyOf ?? []).filter(({ type }) => type !== 'null');
  return first === undefined ? whole : { ...flat(document, first), description: whole.description };
}

/** A block of Terraform without a required attribute would be refused. */
function checkResource(id, resource, path, body) {
  const known = [...Object.keys(body?.properties ?? {}), ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)];
  const missing = (resource?.required ?? []).filter((one) => !known.includes(resource.renamed?.[one] ?? one));
  if (missing.length > 0) throw new TypeError(`${id} has nothing for ${missing.join(', ')} of ${resource.type}.`);
}

/** Operation → the resource that it creates, with the attributes that a person gives. */
function resourcesByCreation() {
  const { resources } = readJson('operations.json');
  const schemas = readJson('schema.json').provider_schemas.landlord.resource_schemas;
  return new Map(
    Object.entries(resources).flatMap(([type, operations]) => {
      const attributes = Object.entries(schemas[type].block.attributes);
      const required = attributes.filter(([, one]) => one.required).map(([name]) => name);
      const given = attributes.filter(([, { required, optional }]) => required || optional).map(([name]) => name);
      return operations
        .filter((one) => /\.create[A-Z]?\w*$/.test(one) || OTHER_CREATIONS.includes(one))
        .filter((one) => one !== 'tasks.create')
        .map((one) => [one, { type, attributes: given, required, ...(RENAMED[one] && { renamed: RENAMED[one] }) }]);
    }),
  );
}

const readJson = (name) => JSON.parse(readFileSync(join(ROOT, TERRAFORM, name), 'utf8'));
