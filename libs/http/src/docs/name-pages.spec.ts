import type { OpenAPIObject } from '@nestjs/swagger';
import { namePages } from './name-pages.js';

const envelope = (view: string): object => ({
  properties: {
    items: { type: 'array', items: { $ref: `#/components/schemas/${view}` } },
    total_results: { type: 'integer' },
  },
});
const refer = (schema: string): object => ({ $ref: `#/components/schemas/${schema}` });

/** The description of one list, after its pages have names. */
function described(schema: object): { schema: unknown; schemas: Record<string, unknown> } {
  const get = { operationId: 'list', responses: { '200': { content: { 'application/json': { schema } } } } };
  const document = { paths: { '/list': { get } }, components: { schemas: { ZoneView: {}, AreaView: {} } } };
  const { components } = namePages(document as unknown as OpenAPIObject);
  return { schema: get.responses['200'].content['application/json'].schema, schemas: components?.schemas ?? {} };
}

describe('The page of a list', () => {
  it.each([
    ['DivisionView', 'DivisionPage'],
    ['ChannelItemView', 'ChannelPage'],
    ['TenantItem', 'TenantPage'],
  ])('of %s is the schema %s', (view, name) => {
    const { schema, schemas } = described(envelope(view));

    expect(schema).toEqual(refer(name));
    expect(schemas[name]).toEqual({ description: `One page of a list of \`${view}\`.`, ...envelope(view) });
  });

  it('has the names of both schemas if it has the members of a second one', () => {
    const all = { allOf: [envelope('ChargeLineView'), refer('UsageTotalsView')] };

    const { schema, schemas } = described(all);

    expect(schema).toEqual(refer('ChargeLineAndUsageTotalsPage'));
    expect(schemas['ChargeLineAndUsageTotalsPage']).toMatchObject(all);
  });

  it('stands among the other schemas in the order of their names', () => {
    expect(Object.keys(described(envelope('DivisionView')).schemas)).toEqual(['AreaView', 'DivisionPage', 'ZoneView']);
  });

  it('is the only answer that moves', () => {
    expect(described(refer('ZoneView')).schema).toEqual(refer('ZoneView'));
  });
});
