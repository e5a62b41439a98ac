import { join } from 'node:path';
import { Database, dataSourceOptions, OWNERSHIP } from '@libs/persistence';
import { createTestDatabase, type TestDatabase } from '@libs/testing';
import { DataSource, type EntityMetadata } from 'typeorm';
import { ROOT, sourcesUnder } from './sources/sources.js';
import { repositoryUses } from './sources/typeorm-methods.js';

/**
 * Differences where an entity is less strict than its table. The list may only shrink: an entry without a difference
 * fails, too.
 */
const LOOSER_THAN_THE_TABLE: string[] = [];
/** TypeORM itself reads and writes this table. */
const WITHOUT_ENTITY = ['migrations'];

const FILES = sourcesUnder('libs/persistence/src').filter((path) => path.endsWith('.entity.ts'));

interface Column {
  type: string;
  isNullable: boolean;
  hasDefault: boolean;
}

describe('every entity', () => {
  let database: TestDatabase;
  let source: DataSource;
  let registered: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    const secretKeys = `k1:${Buffer.alloc(32).toString('base64')}`;
    const options = dataSourceOptions({ databaseUrl: database.url, secretKeys, applicationName: 'test', poolSize: 1 });
    const modules = await Promise.all(FILES.map((path) => import(join(ROOT, path)) as Promise<object>));
    const entities = modules.flatMap((module) => Object.values(module) as (new () => object)[]);
    source = await new DataSource({ ...options, entities }).initialize();
    registered = await new DataSource(options).initialize();
  });
  afterAll(async () => {
    await source?.destroy();
    await registered?.destroy();
    await database?.drop();
  });

  it('maps one table, and every table has one entity', () => {
    const tables = Object.keys(OWNERSHIP).filter((table) => !WITHOUT_ENTITY.includes(table));

    expect(source.entityMetadatas.map(({ tableName }) => tableName).sort()).toEqual(tables.sort());
  });

  it('maps all columns of the migrated table by their names, with type, nullability and default', async () => {
    const differences: string[] = [];
    for (const entity of source.entityMetadatas)
      differences.push(...compare(entity, await columnsOf(entity.tableName), source));

    expect(differences.sort()).toEqual(LOOSER_THAN_THE_TABLE);
  });

  it('has the primary key of its table', async () => {
    for (const { tableName, primaryColumns } of source.entityMetadatas)
      expect([tableName, ...primaryColumns.map(({ databaseName }) => databaseName)]).toEqual([
        tableName,
        ...(await primaryKeyOf(tableName)),
      ]);
  });

  it('is registered in the apps if code reads or writes it through TypeORM, and only then', () => {
    const queried = repositoryUses().map(({ entity }) => entity);

    expect(registered.entityMetadatas.map(({ name }) => name).sort()).toEqual([...new Set(queried)].sort());
  });

  async function columnsOf(table: string): Promise<Map<string, Column>> {
    const rows = await new Database(source).query<{ name: string } & Column>(
      {
        name: 'test_columns_of',
        text: `select attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as "isNullable",
                      atthasdef as "hasDefault"
                 from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      },
      [table],
    );
    return new Map(rows.map(({ name, ...column }) => [name, column]));
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
  const mapped = entity.columns.map(({ databaseName }) => databaseName);
  const missing = [...columns.keys()].filter((name) => !mapped.includes(name));
  return [
    ...missing.map((name) => `${entity.tableName}.${name} is not mapped`),
    ...entity.columns.flatMap((column) => {
      const actual = columns.get(column.databaseName);
      const found = actual ? compareColumn(column, actual, source) : ['does not exist'];
      return found.map((text) => `${entity.tableName}.${column.databaseName} ${text}`);
    }),
  ];
}

function compareColumn(column: EntityMetadata['columns'][number], actual: Column, source: DataSource): string[] {
  const size = column.precision ? `(${column.precision},${column.scale})` : '';
  const type = source.driver.normalizeType(column) + size + (column.isArray ? '[]' : '');
  const found = [];
  if (column.propertyName !== column.databaseName) found.push(`is named ${column.propertyName}`);
  if (actual.type !== type) found.push(`is ${actual.type}, mapped as ${type}`);
  if (actual.isNullable !== column.isNullable)
    found.push(`${actual.isNullable ? 'may' : 'may not'} be null, mapped the other way`);
  if (actual.hasDefault !== (column.default !== undefined))
    found.push(`${actual.hasDefault ? 'has a' : 'has no'} default, mapped the other way`);
  return found;
}
