import { SEALED_COLUMNS } from '@libs/persistence';
import { createTestDatabase, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import ts from 'typescript';
import { nodesOf, parse, sourcesUnder } from './sources/sources.js';

const LISTED = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort();
const sources = sourcesUnder('apps', 'libs').filter((path) => path !== 'libs/persistence/src/sealed-columns.ts');

/**
 * A column that is sealed but not on the list would keep its old key for ever: `landlord rekey` would pass it over, and
 * the day the key is removed it is lost. The compiler refuses such a place (`SecretPlace`); this looks past the compiler.
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

  it('names every place that is sealed, and none that is not', () => {
    const places = sources.flatMap((path) => nodesOf(parse(path), ts.isObjectLiteralExpression).flatMap(placeIn));

    expect([...new Set(places)].sort()).toEqual(LISTED);
  });

  it('is asked of whoever seals: nobody claims a place by a cast, but the one who goes through the list', () => {
    const casts = sources.filter((path) =>
      nodesOf(parse(path), ts.isAsExpression).some(({ type }) => type.getText() === 'SecretPlace'),
    );

    expect(casts).toEqual(['libs/operator/src/rekeying.ts']);
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

/** `{ table: '…', column: '…', row: … }`, as a place is written. */
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
