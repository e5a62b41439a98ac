import { groupedBy, operationsOf, resolve } from './documents.mjs';
import { columnsOf, Finders } from './resources.mjs';

const HEAD = '// Made from the API descriptions in contract/. Do not edit, and do not commit.\n';

/** Groups whose name in the SDK is long for a person who types. */
const SHORT_NAMES = { accessRules: 'rules', apiKeys: 'keys', configs: 'config', nodeMetrics: 'metrics' };
/** Members that name a level of the organization: every command has an option for each. */
const LEVEL_NAMES = ['tenant', 'division', 'environment', 'deployment'];
/** Requests that show what another request would do. */
const PREVIEWS = {
  'deployments.createManaged': 'deployments.preview',
  'deployments.upgrade': 'deployments.previewUpgrade',
};
/** Options that every command has, or many. */
const TAKEN = ['output', 'context', 'url', 'body', 'yes', 'help'];
const LEVELS = ['tenant_id', 'division_id', 'environment_id', 'deployment_id'];
/** The same request for a level above: the option of the level decides. */
export const OF_A_DIVISION = /InDivision$/;

const kebab = (name) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/[_.]/g, '-')
    .toLowerCase();

/**
 * The commands of the command line, from the operations of the API: their names, texts, arguments and options. A member of the path
 * is an argument if it names the resource itself, and an option if it names a level above.
 */
export function cliFile(target, documents) {
  const verbs = verbsOf(documents);
  const groups = groupedBy(verbs, 'group');
  const texts = Object.fromEntries([...groups].map(([group, all]) => [nameOf(group), textOf(all)]));
  const table = Object.fromEntries([...groups].map(([group, all]) => [nameOf(group), all.map(({ verb }) => verb)]));
  return {
    [`${target}/groups.ts`]: `${HEAD}\n/** What each group of commands is about. */\nexport const GROUPS: Readonly<Record<string, string>> = ${literal(texts)};\n`,
    [`${target}/verbs.ts`]: `${HEAD}\nimport type { Verb } from '../verb.js';\n\n/** The commands of each group. Only the group that a command needs is built. */\nexport const VERBS: Readonly<Record<string, () => readonly Verb[]>> = ${functions(table)};\n`,
  };
}

/** The commands, each with its group in the SDK. */
export function verbsOf(documents) {
  const operations = operationsOf(documents);
  const names = new Set(operations.map(({ operation }) => operation.operationId));
  const finders = new Finders(operations);
  return operations
    .filter(
      ({ group, name }) => !(OF_A_DIVISION.test(name) && names.has(`${group}.${name.replace(OF_A_DIVISION, '')}`)),
    )
    .map((one) => verbOf(one, { names, operations, finders }));
}

const literal = (value) => JSON.stringify(value, null, 1);
const functions = (table) =>
  `{\n${Object.entries(table)
    .map(([name, all]) => ` ${JSON.stringify(name)}: () => ${literal(all).replaceAll('\n', '\n ')},\n`)
    .join('')}}`;
/** The name of a group of commands. */
export const nameOf = (group) => SHORT_NAMES[group] ?? kebab(group);
const textOf = (all) => `${all.map(({ verb }) => verb.name).join(', ')}`;

function verbOf({ document, group, name, path, method, operation, parameters, body }, { names, operations, finders }) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one);
  const named = (member) => parameters.find((one) => one.in !== 'header' && one.name === member);
  const isOwn = (member) =>
    member !== 'tenant_id' && (!LEVELS.includes(member) || `${group.replace(/s$/, '')}_id` === member);
  const required = new Set(body?.required ?? []);
  const queries = parameters.filter((one) => one.in === 'query');
  const filters = queries.map((one) => one.name).filter((one) => LEVEL_NAMES.includes(one));
  const options = [
    ...queries
      .filter((one) => !filters.includes(one.name))
      .map((one) => ({
        ...optionOf(document, one.name, one.schema, one.required, one.description),
        ...timeOf(document, one.schema, 'past'),
      })),
    ...Object.entries(body?.properties ?? {}).flatMap(([member, schema]) =>
      optionsOf(document, member, schema, required.has(member)),
    ),
  ].map((one) => withFinder(one, group, finders));
  const columns = columnsOf(document, operation);
  return {
    group,
    verb: {
      name: kebab(name),
      operation: operation.operationId,
      ...(names.has(`${group}.${name}InDivision`) && { ofDivision: true }),
      text: operation.summary ?? '',
      ...(method === 'DELETE' && { deletes: true }),
      arguments: inPath.filter(isOwn).map((member) => argumentOf(member, named(member), finders.of(group, member))),
      levels: inPath.filter((member) => !isOwn(member)),
      ...(names.has(`${group}.${name}All`) && { all: `${operation.operationId}All` }),
      ...(columns && { columns }),
      ...previewOf(operation.operationId, body, operations),
      ...(body !== undefined && { hasBody: true }),
      ...(filters.length > 0 && { filters }),
      ...(isAccepted(document, operation) && { waits: true }),
      ...(parameters.some((one) => one.in === 'header' && one.name === 'idempotency-key') && { keyed: true }),
      ...(isStream(document, operation) && { streams: true }),
      options,
    },
  };
}

const argumentOf = (member, parameter, finds) => ({
  ...{ member, text: parameter?.description ?? '', ...exampleOf(parameter, parameter?.schema) },
  ...(finds && { finds }),
});

/** A number that is the id of a resource can be named. */
function withFinder(option, group, finders) {
  if (option.kind !== 'number' && option.kind !== 'numbers') return option;
  const [level, finds] = [finders.levelOf(option.member), finders.of(group, option.member)];
  return { ...option, ...(level ? { level } : finds && { finds }) };
}

/** The request that previews this one, and the members that both have. */
function previewOf(id, body, operations) {
  const preview = operations.find(({ operation }) => operation.operationId === PREVIEWS[id]);
  if (!preview) return {};
  const members = Object.keys(preview.body.properties);
  const unknown = members.filter((member) => !(member in body.properties));
  if (unknown.length > 0) throw new TypeError(`${id} has no member ${unknown.join(', ')} of its preview.`);
  return { preview: { operation: PREVIEWS[id], members } };
}

/** An object of single values has an option for each value: `--storage-type`. */
function optionsOf(document, member, schema, isRequired) {
  const { properties, required = [] } = flat(document, schema);
  const inner = Object.entries(properties ?? {}).map(([name, one]) =>
    optionOf(document, `${member}.${name}`, one, isRequired && required.includes(name)),
  );
  const time = timeOf(document, schema, 'future');
  const isPlain = inner.length > 0 && inner.every(({ kind }) => kind !== 'json');
  return isPlain ? inner : [{ ...optionOf(document, member, schema, isRequired), ...time }];
}

/** A duration before or after now can name a time. */
const timeOf = (document, schema, time) => (flat(document, schema).format === 'date-time' ? { time } : {});

const answerOf = (document, { responses }) =>
  resolve(document, Object.entries(responses).find(([code]) => code < 300)[1]);
const isAccepted = (document, operation) => 'ld-operation' in (answerOf(document, operation).headers ?? {});
const isStream = (document, operation) => 'text/event-stream' in (answerOf(document, operation).content ?? {});

/** The option for a member. Objects and lists of objects are JSON. */
function optionOf(document, member, schema, isRequired, description) {
  const whole = flat(document, schema);
  return {
    ...{ member, name: TAKEN.includes(kebab(member)) ? `the-${kebab(member)}` : kebab(member) },
    ...kindAndChoices(document, whole),
    ...(isRequired && { required: true }),
    text: description ?? schema.description ?? whole.description ?? '',
    ...exampleOf(schema, whole),
  };
}

/** An example of the description that is one word of a command. */
function exampleOf(...places) {
  const example = places.map((one) => one?.example ?? one?.examples?.[0]).find((one) => one !== undefined);
  return ['string', 'number'].includes(typeof example) ? { example: String(example) } : {};
}

/** What a person writes for a value, and the only values that there are. */
export function kindAndChoices(document, schema) {
  const types = [schema.type ?? 'object'].flat().filter((one) => one !== 'null');
  const items = schema.items && flat(document, schema.items);
  const choices = schema.enum ?? items?.enum;
  return {
    kind: kindOf(types[0], items?.type),
    ...(choices && { choices: choices.filter((one) => one !== null) }),
  };
}

/** A schema with the members of what it refers to. */
export function flat(document, schema) {
  const own = resolve(document, schema);
  const [first] = own.allOf ?? [];
  return first === undefined ? own : { ...resolve(document, first), ...own };
}

function kindOf(type, itemType) {
  if (type === 'array') return itemType === 'string' ? 'texts' : itemType === 'integer' ? 'numbers' : 'json';
  return { string: 'text', integer: 'number', number: 'number', boolean: 'flag' }[type] ?? 'json';
}
