import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { choicesOf } from '../list/filters.js';
import { kindOf, wordsOf } from './states.js';

const CONTRACT = join(import.meta.dirname, '../../../../../contract');

interface Schema {
  enum?: string[];
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
}
interface Document {
  components: { schemas: Record<string, Schema> };
}

/** The values of a schema, also where it refers to an enum with a name. */
function valuesOf(document: Document, schema: Schema): readonly string[] {
  const named = document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''];
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(named ? [named] : [])];
  return [...(schema.enum ?? []), ...parts.flatMap((part) => valuesOf(document, part))];
}

/** The values of each member `status` and `state` of a document. */
function statesIn(document: Document, node: unknown = document, name = ''): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = /^(status|state)$/.test(name) ? valuesOf(document, node) : [];
  return [...own, ...Object.entries(node).flatMap(([inner, value]) => statesIn(document, value, inner))];
}

const STATES = ['main-api', 'supervisor'].flatMap((api) =>
  statesIn(JSON.parse(readFileSync(join(CONTRACT, `openapi.${api}.json`), 'utf8')) as Document),
);
/** The states of both APIs that are no news: at rest, ended without harm, or not begun. */
const CALM = [
  ...['cancelled', 'closed', 'deleted', 'draft', 'inactive', 'paused', 'replaced', 'skipped', 'stopped', 'suppressed'],
  'undone',
];

describe('The colour of a state', () => {
  it('is decided for each state of both APIs: only a state at rest is grey', () => {
    const grey = [...new Set(STATES)].filter((state) => kindOf(state) === 'calm').sort();

    expect(STATES.length).toBeGreaterThan(100);
    expect(grey).toEqual(CALM);
  });

  it.each([
    ['delivered', 'good'],
    ['approved', 'good'],
    ['pending', 'busy'],
    ['degraded', 'bad'],
    ['unknown', 'calm'],
    ['a word of a newer server', 'calm'],
  ])('of %s is %s', (state, kind) => {
    expect(kindOf(state)).toBe(kind);
  });

  it('of running says whether it is work', () => {
    expect([kindOf('running'), kindOf('running', true)]).toEqual(['good', 'busy']);
  });
});

describe('The word of a state', () => {
  it('is the same in a table and in a filter', () => {
    expect(STATES.filter((state) => choicesOf([state])[0]?.label !== wordsOf(state))).toEqual([]);
    expect(choicesOf(['initialized', 'waiting_for_nodes'])).toEqual([
      { value: 'initialized', label: 'ready' },
      { value: 'waiting_for_nodes', label: 'waiting for nodes' },
    ]);
  });
});
