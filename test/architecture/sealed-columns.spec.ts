import { SEALED_COLUMNS } from '@libs/persistence';
import { createTestDatabase, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import ts from 'typescript';
import { nodesOf, parse, sourcesUnder } from './sources/sources.js';

const LISTED = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort();
const sources = sourcesUnder('apps', 'libs').filter((path) => path !== 'libs/persistence/src/sealed-columns.ts');

/**
 * `landlord rekey` would skip a sealed column that is not on the list, and its data would be lost when the old key is
 * removed. The compiler refuses such a place (`SecretLocation`); this test finds what the compiler cannot see.
 */
describe('The list of sealed columns', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('contains every sealed place, and no other', () => {
    const places = sources.flatMap((path) => nodesOf(parse(path), ts.isObjectLiteralExpression).flatMap(placeIn));

    expect([...new Set(places)].sort()).toEqual(LISTED);
  });

  it('is not bypassed: only code that reads the list casts to SecretLocation', () => {
    const casts = sources.filter((path) =>
      nodesOf(parse(path), ts.isAsExpression).some(({ type }) => type.getText() === 'SecretLocation'),
    );

    expect(casts).toEqual(['libs/operator/src/rekeying.ts', 'libs/persistence/src/start/check-keys.ts']);
  });

  it('has columns that exist, with the primary keys of their tables', async () => {
    const { rows } = await client.query<{ place: string; type: string; key: string[] }>(
      `select c.table_name || '.' || c.column_name as place, c.data_type as type,
              array(select a.attname::text from pg_index i
                      cross join lateral unnest(i.indkey) with ordinality as k(attnum, position)
                      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
                     where i.indrelid = c.table_name::regclass and i.indisprimary order by k.position) as key
         from information_schema.columns c
        where c.table_schema = 'public' and c.table_name || '.' || c.column_name = any($1) order by 1`,
      [LISTED],
    );

    const listed = SEALED_COLUMNS.map(({ table, column, key }) => ({
      place: `${table}.${column}`,
      type: 'text',
      key: key.map(({ name }) => name),
    }));
    expect(rows).toEqual(listed.sort((a, b) => (a.place < b.place ? -1 : 1)));
  });
});

/** The place in a literal `{ table: '…', column: '…', row: … }`. */
function placeIn(literal: ts.ObjectLiteralExpression): string[] {
  const members = new Map(literal.properties.map((member) => [member.name?.getText(), member]));
  const textOf = (name: string): string | null => {
    const member = members.get(name);
    const isText = member && ts.isPropertyAssignment(member) && ts.isStringLiteral(member.initializer);
    return isText ? member.initializer.text : null;
  };
  const [table, column] = [textOf('table'), textOf('column')];
  return members.has('row') && table !== null && column !== null ? [`${table}.${column}`] : [];
}
