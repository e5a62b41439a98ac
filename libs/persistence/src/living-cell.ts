/** A cell is alive while one of its processes has reported within this time. */
const SILENT_SECONDS = 60;

/**
 * Whether a row `c` of cells is alive: one of its processes has reported within a minute, and the last one has not stopped in order
 * since. A process that is killed leaves its cell alive for the rest of the minute.
 */
export const IS_ALIVE = `(c.seen_at > now() - interval '${SILENT_SECONDS} seconds' and (c.signed_off_at is null or c.signed_off_at < c.seen_at))`;

/** Whether the Supervisor of a row with a left join of cells `c` is alive. */
export const IS_REACHABLE = `coalesce(${IS_ALIVE}, false)`;

/** What a record says while its Supervisor is away. Null while it is not. For rows `d` of deployments and a left join of cells `c`. */
export const AWAY = `case when not ${IS_REACHABLE} then concat('The Supervisor of ', d.cloud, ' ', d.region, ' is away',
  ': its last report is of ' || to_char(c.seen_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) end`;
