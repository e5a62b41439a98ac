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
/** Entries of the audit for each deployment, as long as the whole has less than the most. */
const ENTRIES_EACH = 100;
const MOST_ENTRIES = 10_000_000;

/** Entries of the audit that a database with so many deployments has. */
export const entriesOf = (deployments) => Math.min(deployments * ENTRIES_EACH, MOST_ENTRIES);

/** Adds the deployments after `from` up to `until`, with everything that belongs to them. Returns the seconds. */
export async function fillUntil(url, from, until) {
  const begun = performance.now();
  const entries = entriesOf(until) - entriesOf(from);
  if (from === 0) await inOneSession(url, MONTHS_AND_DAYS, {});
  const stage = { from, until };
  // Two sessions, because one core generates rows slower than PostgreSQL stores them.
  await Promise.all([
    inOneSession(url, [...PEOPLE, ...PLACES, ...RUNTIME, ...BILLING, ...CHANNELS, ...TELEMETRY], stage),
    inOneSession(url, [...WORK, ...AUDIT], { ...stage, each: Math.round(entries / (until - from)) }),
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
