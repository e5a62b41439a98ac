// Plans of statements: which large tables they read from the first row to the last.
import { declaredStatements } from '../../../dist/libs/persistence/src/database.js';

/** For tables with fewer rows a sequential scan is the right plan. */
const BIG = 5_000;

/** Names of the tables with many rows. */
export async function largeTables(client) {
  const { rows } = await client.query(
    `select relname as name from pg_class where relkind = 'r' and reltuples > ${BIG}`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** The large tables that the plan for these values scans sequentially. */
export async function scansFor(client, large, { text, values }) {
  const { rows } = await client.query(`explain (format json) ${text}`, values);
  return scansOf(rows[0]['QUERY PLAN'][0].Plan, large);
}

/** Every declared statement whose plan for any values scans a large table: the statement with these tables. */
export async function scansOfDeclared(client, large) {
  const found = [];
  for (const [name, text] of declaredStatements()) {
    const scans = await genericScans(client, large, text);
    if (scans.length > 0) found.push({ name, tables: [...new Set(scans)].join(', ') });
  }
  return found;
}

async function genericScans(client, large, text) {
  // Commands without a plan, such as `set transaction`, cannot be explained.
  const found = await client.query(`explain (format json, generic_plan) ${text}`).catch(() => null);
  return found ? scansOf(found.rows[0]['QUERY PLAN'][0].Plan, large) : [];
}

function scansOf(node, large) {
  const below = (node.Plans ?? []).flatMap((plan) => scansOf(plan, large));
  return node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'])
    ? [node['Relation Name'], ...below]
    : below;
}
