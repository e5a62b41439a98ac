// Fills a database in stages, as a long use of Landlord would have done. The ids follow from the number of the deployment, so
// that a stage only adds rows. One of ten deployments belongs to one large tenant in one large cell. The others are spread over
// tenants of 90 deployments and cells of 900, so that only their number grows.
import pg from 'pg';
import { AUDIT, MONTHS_AND_DAYS, TELEMETRY } from './fill-history.mjs';
import { BILLING, CHANNELS, PLACES, PEOPLE, RUNTIME, WORK } from './fill-rows.mjs';

/** The ids of the generated rows start here. The rows of the installation are below. */
export const FIRST = 1_000_000;
/** The tenant that has a tenth of everything. */
export const LARGE = FIRST;
/** Deployments for each small tenant, and nine tenths of a thousand for each small cell. */
export const BLOCK = 100;
/** The disk space of a deployment with everything except the audit, and of an entry of the audit with its indexes. */
const BYTES_OF_DEPLOYMENT = 19_000;
const BYTES_OF_ENTRY = 820;
const MOST_BYTES = 24e9;
const MOST_ENTRIES_EACH = 100;

/** Entries of the audit for each deployment of a database that grows to so many: a hundred, or fewer for the disk. */
export function entriesEach(deployments) {
  const left = MOST_BYTES - deployments * BYTES_OF_DEPLOYMENT;
  return Math.max(1, Math.min(MOST_ENTRIES_EACH, Math.floor(left / deployments / BYTES_OF_ENTRY)));
}

/** Adds the deployments after `from` up to `until`, with `each` entries of the audit and all other rows. Returns the seconds. */
export async function fillUntil(url, { from, until, each }) {
  const begun = performance.now();
  if (from === 0) await inOneSession(url, MONTHS_AND_DAYS, {});
  const stage = { from, until };
  // Two sessions, because one core generates rows slower than PostgreSQL stores them.
  await Promise.all([
    inOneSession(url, [...PEOPLE, ...PLACES, ...RUNTIME, ...BILLING, ...CHANNELS, ...TELEMETRY], stage),
    inOneSession(url, [...WORK, ...AUDIT], { ...stage, each }),
  ]);
  await inOneSession(url, ['vacuum analyze'], {});
  return (performance.now() - begun) / 1000;
}

/** Without triggers and foreign keys: the rows fit together by their numbers. */
async function inOneSession(url, statements, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `set timezone = 'utc'; set session_replication_role = replica; set synchronous_commit = off; set work_mem = '64MB'`,
    );
    for (const text of statements) await client.query(placed(text, values));
  } finally {
    await client.end();
  }
}

/** The numbers of a stage as literals, because a statement with a list of commands takes no parameters. */
const placed = (text, values) =>
  text.replaceAll(/:(from|until|each)\b/g, (_, name) => String(values[name])).replaceAll(':first', String(FIRST));
