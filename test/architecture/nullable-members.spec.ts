import { inlined, readGolden, resolve, type OpenApiDocument, type Schema } from './sources/openapi-document.js';

/** With fewer pairs, the test no longer finds the records of the routes. */
const FEWEST_PAIRS = 120;

interface Pair {
  title: string;
  member: string;
  inBody: boolean;
  inRecord: boolean;
}

/** The schema with its references and its single `allOf` followed. */
function followed(document: OpenApiDocument, schema: Schema | undefined): Schema {
  if (schema?.$ref) return followed(document, resolve(document, schema.$ref) as Schema);
  const all = (schema?.['allOf'] ?? []) as Schema[];
  return all.length === 1 ? followed(document, all[0]) : (schema ?? {});
}

function isNullable(document: OpenApiDocument, schema: Schema): boolean {
  const { type, anyOf, oneOf } = followed(document, schema) as Schema & { anyOf?: Schema[]; oneOf?: Schema[] };
  return [type].flat().includes('null') || (anyOf ?? oneOf ?? []).some((part) => isNullable(document, part));
}

/** Members of the response of `GET path`: of a record, or of the items of a list. */
function recordAt(document: OpenApiDocument, path: string): Record<string, Schema> {
  const shown = document.paths[path]?.['get']?.responses['200']?.content?.['application/json']?.schema;
  const members = followed(document, shown).properties ?? {};
  if (!members['items'] || !members['total_results']) return members;
  return followed(document, (members['items'] as { items?: Schema }).items).properties ?? {};
}

/**
 * Members of the record that a write to the path creates or changes: at the path, below it with an id, or at the
 * closest parent.
 */
function recordOf(document: OpenApiDocument, path: string): Record<string, Schema> {
  const isBelow = (other: string): boolean => /^\/\{[^/]+\}$/.test(other.slice(path.length)) && other.startsWith(path);
  const below = Object.keys(document.paths).filter(isBelow);
  const own = Object.assign({}, recordAt(document, path), ...below.map((other) => recordAt(document, other))) as object;
  if (Object.keys(own).length > 0) return own as Record<string, Schema>;
  const above = path.slice(0, path.lastIndexOf('/'));
  return above === '' ? {} : recordOf(document, above);
}

/** Each member that a body and its record have in common. */
function pairsOf(document: OpenApiDocument): Pair[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const body = followed(document, requestBody?.content['application/json']?.schema).properties ?? {};
      const record = recordOf(document, path);
      return Object.entries(body)
        .filter(([member]) => member in record)
        .map(([member, schema]) => ({
          title: `${method} ${path}`,
          member,
          inBody: isNullable(document, schema),
          inRecord: isNullable(document, record[member] ?? {}),
        }));
    }),
  );
}

/** A body accepts null exactly where the record shows null (C-1.12). */
describe('A member of a body', () => {
  const pairs = ['main-api', 'supervisor'].flatMap((app) => pairsOf(inlined(readGolden(app))));

  it('is compared with its record on every route with a record', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(FEWEST_PAIRS);
  });

  it('accepts null where its record shows null, and nowhere else', () => {
    expect(pairs.filter(({ inBody, inRecord }) => inBody !== inRecord)).toEqual([]);
  });
});
