import { StartRefused, startText } from '@libs/domain/starts';
import type pg from 'pg';
import { SEALED_COLUMNS, type SealedColumn, type SecretLocation } from '../sealed-columns.js';
import { Secrets } from '../secrets.js';

/** One stored secret of a column, and its key. */
interface Sample {
  location: SecretLocation;
  sealed: string;
  keyId: string;
}

/** Where the keys of this process come from, for the message. */
export interface KeySource {
  /** The keys, `id:base64,…`. */
  keys: string;
  /** A file or a variable. */
  source: string;
}

/**
 * Checks that the keys open the stored secrets. Reads the newest secret of each column and key. Returns a warning when some
 * secrets do not open, because a single row whose key is lost must not stop all of Landlord.
 * @throws StartRefused when no secret opens
 */
export async function checkKeys(client: pg.Client, { keys, source }: KeySource): Promise<string[]> {
  const secrets = new Secrets(keys);
  const samples = await readSamples(client);
  const lost = samples.filter((sample) => !opens(secrets, sample));
  if (lost.length === 0) return [];
  const facts = { given: list(secrets.keyIds), used: list(lost.map(({ keyId }) => keyId)), source };
  if (lost.length === samples.length) throw StartRefused.because('keys_wrong', facts);
  const places = lost.map(({ location, keyId }) => `${location.table}.${location.column} (${keyId})`);
  return [startText('keys_incomplete', { unreadable: places.join(', ') })];
}

/** The ids of the keys of stored secrets. Empty for an installation that has stored none. */
export async function keyIdsInUse(client: pg.Client): Promise<string[]> {
  return [...new Set((await readSamples(client)).map(({ keyId }) => keyId))].sort();
}

/** Rows that live for minutes say nothing about the installation. */
const SHORT_LIVED = ['idempotency_records', 'mails'];
/** Bounds the work in large tables. */
const NEWEST_ROWS = 1_000;

async function readSamples(client: pg.Client): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const column of await existingColumns(client)) {
    const { rows } = await client.query<{ row: string; sealed: string; key_id: string }>(sampleText(column));
    for (const { row, sealed, key_id } of rows)
      samples.push({
        location: { table: column.table, column: column.column, row } as SecretLocation,
        sealed,
        keyId: key_id,
      });
  }
  return samples;
}

/** The schema may be of an older release, which has fewer columns. */
async function existingColumns(client: pg.Client): Promise<SealedColumn[]> {
  const { rows } = await client.query<{ place: string }>(
    `select relname || '.' || attname as place from pg_attribute join pg_class on pg_class.oid = attrelid
      where relname = any($1) and relnamespace = current_schema()::regnamespace and not attisdropped`,
    [SEALED_COLUMNS.map(({ table }) => table)],
  );
  const places = new Set(rows.map(({ place }) => place));
  const isThere = ({ table, column }: SealedColumn): boolean => places.has(`${table}.${column}`);
  return SEALED_COLUMNS.filter((column) => isThere(column) && !SHORT_LIVED.includes(column.table));
}

/**
 * An empty text is not a ciphertext: its secret was deleted. The id of the key is at the start of a ciphertext, so PostgreSQL
 * reads only the start of long ones.
 */
function sampleText({ table, column, key, row }: SealedColumn): string {
  const order = key.map(({ name }) => `${name} desc`).join(', ');
  return `select distinct on (1) split_part(substr(${column}, 1, 200), '.', 1) as key_id, ${row} as row, ${column} as sealed
            from (select * from ${table} order by ${order} limit ${NEWEST_ROWS}) as newest
           where ${column} is not null and ${column} <> '' order by 1, ${order}`;
}

function opens(secrets: Secrets, { location, sealed }: Sample): boolean {
  try {
    secrets.open(location, sealed);
    return true;
  } catch {
    return false;
  }
}

const list = (ids: string[]): string => [...new Set(ids)].sort().join(', ');
