import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERBS } from './generated/verbs.js';

const ROOT = join(import.meta.dirname, '../../..');
type Schema = Record<string, unknown> & { $ref?: string; properties?: Record<string, Schema>; items?: Schema };

/** The schema of the items of each list of both APIs, by the operation. */
function itemsOfLists(): Map<string, Schema> {
  const lists = new Map<string, Schema>();
  for (const app of ['main-api', 'supervisor']) {
    const document = JSON.parse(readFileSync(join(ROOT, `contract/openapi.${app}.json`), 'utf8')) as Schema;
    const at = (reference: string): Schema =>
      reference
        .slice(2)
        .split('/')
        .reduce((inside, name) => inside[name] as Schema, document);
    const whole = (schema: Schema = {}): Schema => {
      const target = schema.$ref === undefined ? schema : at(schema.$ref);
      const [first] = (target['allOf'] as Schema[] | undefined) ?? [];
      return first ? whole(first) : target;
    };
    const paths = Object.values(document['paths'] as Record<string, Record<string, Schema>>);
    for (const operation of paths.flatMap(({ get }) => (get ? [get] : []))) {
      const answer = whole((operation['responses'] as Record<string, Schema>)['200']);
      const content = answer['content'] as Record<string, { schema: Schema }> | undefined;
      const body = whole(content?.['application/json']?.schema);
      const item = whole(body['type'] === 'array' ? body.items : body.properties?.['items']?.items);
      if (item.properties) lists.set(operation['operationId'] as string, item);
    }
  }
  return lists;
}

describe('The lists of the API', () => {
  const lists = itemsOfLists();
  const verbs = Object.values(VERBS).flatMap((all) => [...all()]);

  it('each describe their resource: a name, if it has one, and columns that exist', () => {
    expect(lists.size).toBeGreaterThan(50);
    for (const [operation, item] of lists) {
      const resource = item['x-resource'] as { named_by?: string; columns: string[] } | undefined;
      const members = Object.keys(item.properties ?? {});
      expect([operation, members]).toEqual([operation, expect.arrayContaining(resource?.columns ?? ['x-resource'])]);
      if (resource?.named_by !== undefined)
        expect([operation, resource.columns]).toContainEqual(expect.arrayContaining([resource.named_by]));
    }
  });

  it('show each time as one, and have a column for a time if the items have one', () => {
    for (const { operation, columns } of verbs) {
      const times = Object.entries(lists.get(operation)?.properties ?? {}).filter(
        ([, { format }]) => format === 'date-time',
      );
      const visible = columns?.filter(({ kind }) => kind === 'time').map(({ member }) => member) ?? [];
      for (const member of visible)
        expect([operation, times.map(([name]) => name)]).toContainEqual(expect.arrayContaining([member]));
      if (times.length > 0) expect([operation, visible.length]).not.toEqual([operation, 0]);
    }
  });
});
