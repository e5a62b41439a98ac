// The statements that took the most time of PostgreSQL in a bench.
import { round } from './measure.mjs';

const MOST = 20;
const LIBRARY = 'pg_stat_statements';

/** The setting of a cluster that counts its statements. */
export const COUNTED = { shared_preload_libraries: LIBRARY };

/** Starts counting: the statements before do not count. */
export const countStatements = (sql) =>
  sql.query(`create extension if not exists ${LIBRARY}; select ${LIBRARY}_reset()`);

/** The slowest statements by total time, greatest first. */
export async function slowestStatements(sql) {
  const { rows } = await sql.query(
    `select calls::int, total_exec_time as total, mean_exec_time as mean, query,
            total_exec_time / sum(total_exec_time) over () as share
       from ${LIBRARY} where query not ilike '%${LIBRARY}%' order by total_exec_time desc limit ${MOST}`,
  );
  return rows.map(({ calls, total, mean, share, query }) => ({
    share: round(share),
    total_ms: round(total, 0),
    calls,
    mean_ms: round(mean, 3),
    statement: query.replaceAll(/\s+/g, ' ').slice(0, 100),
  }));
}
