import { Database, dataSourceOptions } from '@libs/persistence';
import { createTestDatabase, type TestDatabase } from '@libs/testing';
import { DataSource, type EntityMetadata } from 'typeorm';

/**
 * Differences where an entity is less strict than its table. The list may only shrink: an entry without a difference
 * fails, too.
 */
const LOOSER_THAN_THE_TABLE = [
  'nodes.broker_driver may be null, mapped the other way',
  'nodes.broker_version may be null, mapped the other way',
];

interface Column {
  type: string;
  isNullable: boolean;
}

describe('every entity', () => {
  let database: TestDatabase;
  let source: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    const secretKeys = `k1:${Buffer.alloc(32).toString('base64')}`;
    source = await new DataSource(
      dataSourceOptions({ databaseUrl: database.url, secretKeys, applicationName: 'test', poolSize: 1 }),
    ).initialize();
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });

  it('maps existing columns of the migrated table, with their types and their nullability', async () => {
    const differences: string[] = [];
    for (const entity of source.entityMetadatas)
      differences.push(...compare(entity, await columnsOf(entity.tableName), source));

    expect(source.entityMetadatas.length).toBeGreaterThan(4);
    expect(differences.sort()).toEqual(LOOSER_THAN_THE_TABLE);
  });

  it('has the primary key of its table', async () => {
    for (const { tableName, primaryColumns } of source.entityMetadatas)
      expect(primaryColumns.map(({ databaseName }) => databaseName)).toEqual(await primaryKeyOf(tableName));
  });

  async function columnsOf(table: string): Promise<Map<string, Column>> {
    const rows = await new Database(source).query<{ name: string; type: string; required: boolean }>(
      {
        name: 'test_columns_of',
        text: `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required
                 from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      },
      [table],
    );
    return new Map(rows.map(({ name, type, required }) => [name, { type, isNullable: !required }]));
  }

  async function primaryKeyOf(table: string): Promise<string[]> {
    const rows = await new Database(source).query<{ name: string }>(
      {
        name: 'test_primary_key_of',
        text: `select a.attname as name from pg_constraint k, unnest(k.conkey) with ordinality as part (attnum, place)
                 join pg_attribute a using (attnum)
                where k.conrelid = $1::regclass and k.contype = 'p' and a.attrelid = k.conrelid order by part.place`,
      },
      [table],
    );
    return rows.map(({ name }) => name);
  }
});

function compare(entity: EntityMetadata, columns: Map<string, Column>, source: DataSource): string[] {
  return entity.columns.flatMap((mapped) => {
    const name = `${entity.tableName}.${mapped.databaseName}`;
    const actual = columns.get(mapped.databaseName);
    if (!actual) return [`${name} does not exist`];
    const type = source.driver.normalizeType(mapped) + (mapped.isArray ? '[]' : '');
    const found = [];
    if (actual.type.replace(/\([\d,]+\)/, '') !== type) found.push(`${name} is ${actual.type}, mapped as ${type}`);
    if (actual.isNullable !== mapped.isNullable)
      found.push(`${name} ${actual.isNullable ? 'may' : 'may not'} be null, mapped the other way`);
    return found;
  });
}
