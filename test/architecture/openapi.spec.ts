import { TestCloud } from '@libs/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  operationsOf,
  readGolden,
  resolve,
  valuesOf,
  type Json,
  type OpenApiDocument,
  type Operation,
  type Schema,
} from './sources/openapi-document.js';

/** Ids of other systems: of clouds, of images, of traces. */
const IDS_OF_OTHERS = [
  'compute_profile_id',
  'image_id',
  'network_id',
  'correlation_id',
  'message_id',
  'trace_id',
  'account_id',
  'tax_id',
  ...['connection_id', 'peering_connection_id', 'vpc_endpoint_service_id', 'consumer_project_id', 'peer_project_id'],
  ...['peer_vpc_id', 'peer_owner_id', 'requester_vpc_id', 'requester_owner_id', 'accepter_vpc_id', 'accepter_owner_id'],
  'vpc_id',
  'external_id',
  'service_org_id',
  'project_id',
];
/** A response, parameter or header that more operations have must be in the components. */
const MOST_INLINE = 10;
const BODY_METHODS = ['post', 'put', 'patch'];

const named = (wanted: { title: string }[]): string[] => wanted.map(({ title }) => title);
const isOf = (methods: string[], title: string): boolean => methods.includes(title.split(' ')[0] ?? '');
const isTyped = (schema?: Schema): boolean => schema !== undefined && ('type' in schema || '$ref' in schema);
const hasSchema = ({ schema }: { schema?: Schema }): boolean => schema !== undefined && Object.keys(schema).length > 0;
/** The references to all components of the document. */
const referencesTo = ({ components: { securitySchemes: _, ...sections } }: OpenApiDocument): string[] =>
  Object.entries(sections).flatMap(([section, named]) =>
    Object.keys(named).map((name) => `#/components/${section}/${name}`),
  );
const withoutServers = ({ servers: _, ...rest }: OpenApiDocument): Json => rest;

describe('The operation ids of both APIs', () => {
  const ids = ['main-api', 'supervisor'].flatMap((app) =>
    operationsOf(readGolden(app)).map(({ operationId }) => operationId ?? ''),
  );

  it('are `resource.verb` in camelCase, and unique over both documents', () => {
    expect(ids.length).toBeGreaterThan(200);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe.each(['main-api', 'supervisor'])('the OpenAPI description of %s', (app) => {
  const document = readGolden(app);
  const operations = operationsOf(document);

  it('is OpenAPI 3.1, with both ways to authenticate', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.securitySchemes).toMatchObject({
      ld_api_key: { type: 'apiKey', in: 'header', name: 'ld-api-key' },
      session_cookie: { type: 'apiKey', in: 'cookie' },
    });
  });

  it('has a unique id, a summary, a description and one tag for every operation', () => {
    const ids = operations.map(({ operationId }) => operationId);

    expect(ids.filter((id, index) => !id || ids.indexOf(id) !== index)).toEqual([]);
    expect(named(operations.filter(({ summary, description }) => !summary?.trim() || !description?.trim()))).toEqual(
      [],
    );
    expect(named(operations.filter(({ tags }) => tags?.length !== 1))).toEqual([]);
  });

  it('deprecates an operation only by the decorator, which also sets the headers of its answers', () => {
    const wrong = operations.filter(({ deprecated = false, responses }) =>
      Object.values(responses).some(({ headers = {} }) => 'deprecation' in headers !== deprecated),
    );

    expect(named(wrong)).toEqual([]);
  });

  it('lists exactly the parameters of each path, with type and description', () => {
    const wrong = operations.filter(({ title, parameters = [] }) => {
      const inPath = [...title.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      return [...inPath].sort().join() !== [...declared].sort().join();
    });
    const parameters = operations.flatMap(({ title, parameters: all = [] }) =>
      all.map((parameter) => ({ ...parameter, title: `${title} ${parameter.name}` })),
    );

    expect(named(wrong)).toEqual([]);
    expect(named(parameters.filter(({ schema }) => !isTyped(schema)))).toEqual([]);
    expect(named(parameters.filter(({ description }) => !description))).toEqual([]);
  });

  it('has typed bodies and one typed success per operation; streams may also end with 204', () => {
    const wrong = operations.filter(({ responses, requestBody }) => {
      const isStream = Object.values(responses).some(({ content }) => content?.['text/event-stream']);
      const successes = Object.entries(responses).filter(
        ([status]) => status.startsWith('2') && !(isStream && status === '204'),
      );
      const [status, response] = successes[0] ?? ['', {}];
      const isAnswered = status === '204' ? !response.content : Object.values(response.content ?? {}).some(hasSchema);
      const isBodyTyped = !requestBody || Object.values(requestBody.content).every(hasSchema);
      return successes.length !== 1 || !isAnswered || !isBodyTyped;
    });

    expect(named(wrong)).toEqual([]);
  });

  it('describes each refusal as a problem with its codes', () => {
    const refusals = operations.flatMap(({ title, responses }) =>
      Object.entries(responses)
        .filter(([status]) => /^[45]/.test(status))
        .map(([status, response]) => ({ title: `${title} ${status}`, response })),
    );

    const wrong = refusals.filter(
      ({ response }) => !response.description || !response.content?.['application/problem+json']?.schema,
    );

    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  it('lists the refusals that apply to every key and every body', () => {
    const withKey = operations.filter(({ security }) => security?.some((scheme) => 'ld_api_key' in scheme));
    const withBody = operations.filter(({ title, requestBody }) => requestBody && isOf(BODY_METHODS, title));
    const lacks = (wanted: string[]) => (operation: Operation) =>
      wanted.some((status) => !(status in operation.responses));

    expect(withKey.length).toBeGreaterThan(2);
    expect(named(withKey.filter(lacks(['401', '403', '500'])))).toEqual([]);
    expect(named(withBody.filter(lacks(['400', '413', '415'])))).toEqual([]);
  });

  it('has the header ld-request in each answer', () => {
    const wrong = operations.filter(({ responses }) =>
      Object.values(responses).some(({ headers }) => !headers?.['ld-request']?.schema),
    );

    expect(named(wrong)).toEqual([]);
  });

  it('has no dangling reference', () => {
    const references = valuesOf(document, '$ref') as string[];

    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((reference) => resolve(document, reference) === undefined)).toEqual([]);
  });

  it('writes each refusal once, in the components, and uses each component', () => {
    const raw = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const inline = raw.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, response]) => /^[45]/.test(status) && !response.$ref)
        .map(([status]) => `${operationId} ${status}`),
    );
    const used = new Set(valuesOf(document, '$ref'));
    const components = referencesTo(document);

    expect(inline).toEqual([]);
    expect(components.length).toBeGreaterThan(100);
    expect(components.filter((reference) => !used.has(reference))).toEqual([]);
  });

  it('repeats no response, parameter or header inline on many operations', () => {
    const uses = new Map<string, number>();
    const inline = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters = [], responses }) => [
        ...parameters,
        ...Object.values(responses).flatMap((response) => [response, ...Object.values(response.headers ?? {})]),
      ])
      .filter((part) => !('$ref' in part));
    for (const text of inline.map((part) => JSON.stringify(part))) uses.set(text, (uses.get(text) ?? 0) + 1);

    expect(inline.length).toBeGreaterThan(50);
    expect([...uses].filter(([, times]) => times > MOST_INLINE)).toEqual([]);
  });

  it('contains only JSON Schema 2020-12, and no keyword of OpenAPI 3.0 that tools ignore', () => {
    const text = JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
    const $defs = JSON.parse(text) as Record<string, Schema>;
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, validateFormats: false });
    // Extensions of OpenAPI, which tools ignore.
    ajv.addVocabulary(['x-enum-varnames', 'x-resource']);

    const broken = Object.keys($defs).flatMap((name) => {
      try {
        ajv.compile({ $defs, $ref: `#/$defs/${name}` });
        return [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    });

    expect(broken).toEqual([]);
    expect([...valuesOf(document, 'nullable'), ...valuesOf(document, 'example')]).toEqual([]);
  });

  it('types each id as a 64-bit integer', () => {
    const parameters = operations.flatMap(({ parameters: all = [] }) =>
      all.map(({ name, schema }) => [name, schema] as const),
    );
    // Requests and responses only; Standard Webhooks defines the id of a webhook.
    const own = { ...document, webhooks: {} };
    const properties = valuesOf(own, 'properties').flatMap((all) => Object.entries(all as Record<string, Schema>));

    const wrong = [...parameters, ...properties]
      .filter(([name]) => /(^|_)id$/.test(name) && !IDS_OF_OTHERS.includes(name))
      .filter(([, schema]) => ![schema?.type].flat().includes('integer') || schema?.format !== 'int64');

    expect(wrong.map(([name]) => name)).toEqual([]);
  });
});

describe('the descriptions that the apps serve', () => {
  it('equal the golden files, and need no key', async () => {
    const cloud = await TestCloud.start();
    try {
      for (const [app, client] of [
        ['main-api', cloud.main(null)],
        ['supervisor', cloud.runtime(null)],
      ] as const) {
        const served = await client.get('/openapi.json');

        expect(served.status).toBe(200);
        expect(withoutServers(served.body as OpenApiDocument)).toEqual(withoutServers(readGolden(app)));
      }
      await expectParts(cloud);
    } finally {
      await cloud.stop();
    }
  });
});

/** The three services of the main API (C-29.2) together are its whole description, and each is complete. */
async function expectParts(cloud: TestCloud): Promise<void> {
  const parts = await Promise.all(
    ['core', 'audit', 'notifications'].map(
      async (name) => (await cloud.main(null).get(`/openapi/${name}.json`)).body as OpenApiDocument,
    ),
  );
  const page = String((await cloud.main(null).get('/docs/swagger-ui-init.js')).body);
  const titlesOf = (document: OpenApiDocument): string[] => named(operationsOf(document));

  expect(parts.flatMap(titlesOf).sort()).toEqual(titlesOf(readGolden('main-api')).sort());
  for (const part of parts) {
    const used = new Set(valuesOf(part, '$ref') as string[]);
    expect(titlesOf(part).length).toBeGreaterThan(0);
    expect([...used].filter((reference) => resolve(part, reference) === undefined)).toEqual([]);
    expect(referencesTo(part).filter((reference) => !used.has(reference))).toEqual([]);
    expect(page).toContain(JSON.stringify((part['info'] as Json)['title']));
  }
}
