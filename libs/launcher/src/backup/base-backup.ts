import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { ClusterFiles } from '../embedded-postgres/cluster-files.js';
import { LauncherError } from '../launcher-error.js';
import { until } from '@libs/host/os';
import { copyCluster, type CopiedTree } from './copy-cluster.js';
import { copyFile, syncDirectory } from './copy-file.js';

/** A copy of a cluster that PostgreSQL can recover at its start. */
export interface BaseBackup extends CopiedTree {
  startLsn: string;
  stopLsn: string;
}

interface Stopped {
  lsn: string;
  labelfile: string;
  spcmapfile: string;
}

const FLUSH_MS = 30_000;

/**
 * Copies the running cluster into `target`, which must not exist: its files as they are, and the write-ahead log from the start
 * to the end of the copy. Uses one connection, because the backup ends with it. The replication slot, which keeps the log from
 * being recycled, also ends with it.
 */
export async function takeBaseBackup(url: string, files: ClusterFiles, target: string): Promise<BaseBackup> {
  const client = new pg.Client({ connectionString: url, application_name: 'landlord-backup' });
  // Without a listener the loss of the connection would end the process. The next query reports the loss.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [
      `landlord_backup_${process.pid}`,
    ]);
    const start = await one<{ lsn: string }>(client, `select pg_backup_start('landlord', true) as lsn`);
    const tree = await copyCluster(files.data, target);
    const stop = await one<Stopped>(client, 'select lsn, labelfile, spcmapfile from pg_backup_stop(false)');
    await addText(tree, target, 'backup_label', stop.labelfile);
    await addLog(client, { data: files.data, target, tree }, stop);
    for (const directory of ['', ...tree.directories]) await syncDirectory(join(target, directory));
    return { ...tree, startLsn: start.lsn, stopLsn: stop.lsn };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new LauncherError(`PostgreSQL refuses the backup: ${error.message}`, { cause: error });
  } finally {
    await client.end();
  }
}

async function one<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(text, values);
  return rows[0] as Row;
}

async function addText(tree: CopiedTree, target: string, name: string, text: string): Promise<void> {
  await writeFile(join(target, name), text, { mode: 0o600, flush: true });
  tree.files[name] = { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

/** The log between start and end. Without it the copied files are inconsistent. */
async function addLog(
  client: pg.Client,
  { data, target, tree }: { data: string; target: string; tree: CopiedTree },
  stop: Stopped,
): Promise<void> {
  const flushed = async (): Promise<boolean> =>
    (await one<{ done: boolean }>(client, 'select pg_current_wal_flush_lsn() >= $1::pg_lsn as done', [stop.lsn])).done;
  if (!(await until(flushed, { timeoutMs: FLUSH_MS })))
    throw new LauncherError('PostgreSQL did not write its write-ahead log in time.');
  const { last, bytes } = await one<{ last: string; bytes: string }>(
    client,
    `select pg_walfile_name($1::pg_lsn) as last, (select setting from pg_settings where name = 'wal_segment_size') as bytes`,
    [stop.lsn],
  );
  const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(stop.labelfile)?.[1] ?? last;
  const histories = (await readdir(join(data, 'pg_wal'))).filter((name) => name.endsWith('.history'));
  for (const name of [...segmentsBetween(first, last, Number(bytes)), ...histories]) {
    const path = `pg_wal/${name}`;
    tree.files[path] = await copyFile(join(data, path), join(target, path));
  }
}

/** Names of log segments: timeline, then the upper and the lower part of the number, with 8 hex digits each. */
export function segmentsBetween(first: string, last: string, segmentBytes: number): string[] {
  const perUpper = 0x1_0000_0000 / segmentBytes;
  const numberOf = (name: string): number =>
    Number.parseInt(name.slice(8, 16), 16) * perUpper + Number.parseInt(name.slice(16), 16);
  const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');
  const names: string[] = [];
  for (let number = numberOf(first); number <= numberOf(last); number += 1)
    names.push(first.slice(0, 8) + hex(Math.floor(number / perUpper)) + hex(number % perUpper));
  return names;
}
