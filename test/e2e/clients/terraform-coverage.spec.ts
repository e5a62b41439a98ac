import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER, readOperations, textsFile, TEXTS } from '../../../scripts/clients/terraform-files.mjs';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
}
interface Operation {
  operationId: string;
  security?: object[];
  parameters?: { $ref?: string; name?: string; in?: string }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: Record<string, { schema: Schema & { items?: Schema } }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, { name: string; in: string }>; schemas: Record<string, Schema> };
}
interface Attribute {
  required?: boolean;
  optional?: boolean;
  computed?: boolean;
  sensitive?: boolean;
  nested_type?: { attributes: Record<string, Attribute> };
}

/**
 * Things that the API creates and deletes and that are no resource of the provider. At most ten. The list may only shrink: an entry that is
 * not needed fails, too.
 */
const EXCEPTIONS: Record<string, string> = {
  'billing.deletePaymentMethod':
    'The operator grants an invoice agreement, and a card is entered at the payment provider.',
  'backups.delete': 'A backup is an event, which expires. Its schedule is the resource.',
  'snapshots.delete': 'A diagnostic snapshot is an event, which expires.',
  'deadLetters.delete': 'Dead letters are messages.',
};
const MOST_EXCEPTIONS = 10;

/** Attributes that the API does not have: the reasons are in the descriptions of the attributes. */
const OWN_ATTRIBUTES = ['timeouts', 'rotate_trigger', 'secret_values', 'secret_values_wo', 'secret_values_wo_version'];

/** Members of requests, and of paths, with another name as an attribute. */
const RENAMED: Record<string, string> = { deployment_name: 'name', type: 'connector_type', key: 'connector_key' };
const RENAMED_MEMBERS = ['deployment_name'];
/** Members of requests that are no attribute, with the reason. */
const NOT_ATTRIBUTES: Record<string, string> = {
  'landlord_broker_config activate': 'The resource is the active configuration.',
  'landlord_connector_config activate': 'The resource is the active configuration.',
  'landlord_broker_config name': 'The name is always the same.',
  'landlord_broker_config type': 'The provider chooses the task.',
  'landlord_byoc_deployment managed_tier': 'Commercial terms belong to managed deployments.',
};

const documents = ['main-api', 'supervisor'].map(
  (app) => JSON.parse(readFileSync(join(PROVIDER, `../../contract/openapi.${app}.json`), 'utf8')) as Document,
);
const routes = documents.flatMap((document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ document, path, method, operation })),
  ),
);
const byId = new Map(routes.map((route) => [route.operation.operationId, route]));
const operations = readOperations();
const { resource_schemas: resources, data_source_schemas: dataSources } = (
  JSON.parse(readFileSync(join(PROVIDER, 'schema.json'), 'utf8')) as {
    provider_schemas: {
      landlord: Record<
        'resource_schemas' | 'data_source_schemas',
        Record<string, { block: { attributes: Record<string, Attribute> } }>
      >;
    };
  }
).provider_schemas.landlord;

/** The schema without references. Of a member that can be null, the other alternative. */
function resolved(document: Document, schema: Schema | undefined): Schema {
  if (schema?.$ref) return resolved(document, document.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  const [first] = schema?.allOf ?? schema?.anyOf ?? [];
  return first ? resolved(document, first) : (schema ?? {});
}

/** Members of the bodies of requests, by their place: `storage/size`. */
function sentBy(id: string): string[] {
  const route = byId.get(id);
  const schema = route?.operation.requestBody?.content['application/json'].schema;
  return route && schema ? placesIn(route.document, schema) : [];
}

function placesIn(document: Document, schema: Schema, above = ''): string[] {
  const { properties = {}, additionalProperties } = resolved(document, schema);
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const place = `${above}${RENAMED_MEMBERS.includes(name) ? RENAMED[name] : name}`;
    return [place, ...placesIn(document, member, `${place}/`)];
  });
  return typeof additionalProperties === 'object' ? [...own, ...placesIn(document, additionalProperties, above)] : own;
}

/** What the document says of a request: its path, its body, and its answer or the items of its answer. */
function placesKnownBy(id: string): string[] {
  const route = byId.get(id);
  if (!route) return [];
  const { document, operation, path } = route;
  const answers = Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 300)
    .flatMap(([, { content }]) => Object.values(content ?? {}))
    .flatMap(({ schema }) => placesIn(document, schema.items ?? itemsOf(document, schema) ?? schema));
  // A data source has a list for each request, with the name of the last part of the path.
  const list = path.split('/').at(-1) ?? '';
  const listed = [list, ...answers.map((place) => `${list}/${place}`)];
  return [...parametersOf(id), ...sentBy(id), ...answers, ...listed];
}

/** The items of a page. */
const itemsOf = (document: Document, schema: Schema): Schema | undefined =>
  resolved(document, schema).properties?.['items']?.items;

function placesOf(attributes: Record<string, Attribute>, above = ''): string[] {
  return Object.entries(attributes).flatMap(([name, { nested_type: nested }]) => [
    `${above}${name}`,
    ...placesOf(nested?.attributes ?? {}, `${above}${name}/`),
  ]);
}

function sensitive(attributes: Record<string, Attribute>, above = ''): string[] {
  return Object.entries(attributes).flatMap(([name, one]) => [
    ...(one.sensitive ? [`${above}${name}`] : []),
    ...sensitive(one.nested_type?.attributes ?? {}, `${above}${name}/`),
  ]);
}

const isWritable = ({ required = false, optional = false }: Attribute): boolean => required || optional;

describe('The Terraform provider', () => {
  it('has the resources and data sources that operations.json lists', () => {
    expect(Object.keys(resources).sort()).toEqual(Object.keys(operations.resources).sort());
    expect(Object.keys(dataSources).sort()).toEqual(Object.keys(operations.dataSources).sort());
    const listed = [
      operations.provider,
      ...Object.values(operations.resources),
      ...Object.values(operations.dataSources),
    ].flat();
    expect(listed.filter((id) => !byId.has(id))).toEqual([]);
  });

  it('sends each request that operations.json lists', () => {
    const sources = readdirSync(join(PROVIDER, 'internal'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.go') && !path.endsWith('_test.go') && !path.startsWith('api'))
      .map((path) => readFileSync(join(PROVIDER, 'internal', path), 'utf8'))
      .join('');
    const listed = [
      operations.provider,
      ...Object.values(operations.resources),
      ...Object.values(operations.dataSources),
    ].flat();
    const method = (id: string): string =>
      id
        .split('.')
        .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
        .join('');

    // Called, or given to what calls it.
    const isSent = (id: string): boolean => ['(', ','].some((next) => sources.includes(`api.${method(id)}${next}`));
    expect(listed.filter((id) => !isSent(id))).toEqual([]);
  });

  it('manages each thing that the API creates and deletes, but for the exceptions', () => {
    const used = new Set(Object.values(operations.resources).flat());
    const isForKeys = ({ security }: Operation): boolean => !security || security.some((one) => 'ld_api_key' in one);
    const deletions = routes.filter(({ method, operation }) => method === 'delete' && isForKeys(operation));
    // A thing needs everything that creates it, changes it and deletes it.
    const unmanaged = deletions.filter(({ document, path }) => {
      const collection = path.replace(/\/\{\w+\}$/, '');
      const needed = [
        ...Object.entries(document.paths[path] ?? {}),
        ['post', document.paths[collection]?.['post']] as const,
      ]
        .filter(([method, one]) => one && ['post', 'put', 'delete'].includes(method))
        .map(([, one]) => one?.operationId ?? '');
      return needed.some((id) => !used.has(id));
    });

    expect(deletions.length).toBeGreaterThan(20);
    expect(unmanaged.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
    expect(Object.keys(EXCEPTIONS).length).toBeLessThanOrEqual(MOST_EXCEPTIONS);
  });

  it('has an attribute for each member that a resource can send, but for those that the provider chooses', () => {
    const missing = Object.entries(operations.resources).flatMap(([name, ids]) => {
      const attributes = placesOf(resources[name]?.block.attributes ?? {});
      return [...new Set(ids.flatMap(sentBy))]
        .filter((place) => !attributes.includes(place))
        .map((place) => `${name} ${place}`);
    });

    expect(missing.sort()).toEqual(Object.keys(NOT_ATTRIBUTES).sort());
  });

  it.each([
    ...Object.entries(operations.resources).map(([name, ids]) => [name, 'resource', ids, resources] as const),
    ...Object.entries(operations.dataSources).map(([name, ids]) => [name, 'data source', ids, dataSources] as const),
  ])('has no attribute of %s (%s) that the documents do not have', (name, _kind, ids, schemas) => {
    const { attributes } = schemas[name]?.block ?? { attributes: {} };
    const places = ids.flatMap(placesKnownBy);
    const unknown = placesOf(attributes).filter(
      (place) => !places.includes(place) && !OWN_ATTRIBUTES.includes(place.split('/')[0] ?? ''),
    );

    expect(unknown).toEqual([]);
  });

  it('lets nobody set what the API only shows', () => {
    const settable = Object.entries(operations.resources).flatMap(([name, ids]) => {
      const sent = [...ids.flatMap(sentBy), ...ids.flatMap((id) => parametersOf(id))];
      return Object.entries(resources[name]?.block.attributes ?? {})
        .filter(
          ([attribute, one]) => isWritable(one) && !OWN_ATTRIBUTES.includes(attribute) && !sent.includes(attribute),
        )
        .map(([attribute]) => `${name}.${attribute}`);
    });

    expect(settable).toEqual([]);
  });

  it('marks secrets as sensitive', () => {
    const secrets = Object.entries({ ...resources, ...dataSources }).flatMap(([name, { block }]) =>
      sensitive(block.attributes).map((place) => `${name}.${place}`),
    );

    expect(secrets.sort()).toEqual([
      'landlord_api_key.secret',
      'landlord_broker_config.secret_values',
      'landlord_broker_config.secret_values_wo',
      'landlord_channel.destination',
      'landlord_channel.secret',
      'landlord_channel.settings/webhook/headers',
      'landlord_connector_config.secret_values',
      'landlord_connector_config.secret_values_wo',
      'landlord_credentials.password',
    ]);
  });

  it('has the texts of the documents, and clients of the same documents', () => {
    const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

    expect(words(readFileSync(join(PROVIDER, TEXTS), 'utf8'))).toBe(words(textsFile()));
  });
});

function parametersOf(id: string): string[] {
  const route = byId.get(id);
  return (route?.operation.parameters ?? [])
    .map((one) => one.name ?? route?.document.components.parameters[one.$ref?.split('/').at(-1) ?? '']?.name ?? '')
    .map((name) => RENAMED[name] ?? name);
}
