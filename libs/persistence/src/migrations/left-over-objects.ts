import type pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { OWNERSHIP } from '../ownership.js';
import { MIGRATIONS, RELEASE_MIGRATIONS } from './migrate.js';

/** What the statements of one migration add to the schema. */
interface Additions {
  tables: string[];
  /** `table.column`. */
  columns: string[];
}

const UNDEFINED_TABLE = '42P01';

/**
 * The tables and columns that are in the database although no recorded migration creates them. A dump of an older release that was
 * restored over the tables of a newer one leaves them: `pg_restore --clean` cannot drop a table that a newer one refers to. Also
 * those of another program whose tables have our names. Empty for a database of this release, of an older one, and an empty one.
 */
export async function leftOverObjects(client: pg.Client): Promise<string[]> {
  const recorded = new Set(await recordedMigrations(client));
  const additions = await Promise.all(
    MIGRATIONS.map((migration) => new migration()).map(async (migration) => ({
      isRecorded: recorded.has(migration.name),
      ...(await additionsOf(migration)),
    })),
  );
  const created = additions.filter(({ isRecorded }) => isRecorded).flatMap(({ tables }) => tables);
  const pending = additions.filter(({ isRecorded }) => !isRecorded);
  const ofThisRelease = await existing(client, {
    tables: pending.flatMap(({ tables }) => tables).filter((table) => !created.includes(table)),
    columns: pending.flatMap(({ columns }) => columns),
  });
  // A newer schema has tables that this release does not know, and its migrations are recorded.
  const isAhead = [...recorded].some((name) => !RELEASE_MIGRATIONS.includes(name));
  return isAhead ? ofThisRelease : [...ofThisRelease, ...(await foreignReferences(client, additions))];
}

async function recordedMigrations(client: pg.Client): Promise<string[]> {
  try {
    return (await client.query<{ name: string }>('select name from migrations')).rows.map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/** A migration that reads finds no rows here, so its statements on the schema can be collected without a database. */
async function additionsOf(migration: MigrationInterface): Promise<Additions> {
  const texts: string[] = [];
  const recorder = { query: (text: string) => Promise.resolve(texts.push(text) && []) };
  await migration.up(recorder as unknown as QueryRunner);
  return { tables: texts.flatMap(tablesIn), columns: texts.flatMap(columnsIn) };
}

const tablesIn = (text: string): string[] =>
  [...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?([a-z_0-9]+)/gi)].map(([, name = '']) => name);

function columnsIn(text: string): string[] {
  return [...text.matchAll(/\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?([a-z_0-9]+)([^;]*)/gi)].flatMap(
    ([, table = '', changes = '']) =>
      [...changes.matchAll(/\badd\s+column\s+(?!if\s+not\s+exists\b)([a-z_0-9]+)/gi)].map(
        ([, name = '']) => `${table}.${name}`,
      ),
  );
}

async function existing(client: pg.Client, { tables, columns }: Additions): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname = any($1)
     union
     select relname || '.' || attname from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped and relkind in ('r', 'p')
        and relname || '.' || attname = any($2)
      order by 1`,
    [tables, columns],
  );
  return rows.map(({ name }) => name);
}

/** Tables that no release up to this one creates, and that refer to one of its tables. Tables of the operator refer to none. */
async function foreignReferences(client: pg.Client, additions: readonly Additions[]): Promise<string[]> {
  const ours = [...new Set([...Object.keys(OWNERSHIP), ...additions.flatMap(({ tables }) => tables)])];
  const { rows } = await client.query<{ name: string }>(
    `select distinct child.relname as name
       from pg_constraint
       join pg_class child on child.oid = conrelid
       join pg_class parent on parent.oid = confrelid
      where contype = 'f' and not child.relispartition and child.relnamespace = current_schema()::regnamespace
        and parent.relnamespace = current_schema()::regnamespace
        and parent.relname = any($1) and child.relname <> all($1)
      order by 1`,
    [ours],
  );
  return rows.map(({ name }) => name);
}
