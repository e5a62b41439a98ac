import { IS_ALIVE } from './living-cell.js';

/** Nodes report at least every 10 s, and the processes of a Supervisor more often. */
const LATE = `now() - interval '15 seconds'`;
const OF_SUPERVISOR = ` union all select c.seen_at where c.seen_at < ${LATE} or not ${IS_ALIVE}`;

const oldestLate = (deploymentId: string, others = ''): string => `(select min(report.at) from (
   select n.last_seen_at as at from nodes n where n.deployment_id = ${deploymentId} and n.last_seen_at < ${LATE}${others}
 ) report) as last_report_at`;

/**
 * The oldest last report of the nodes, once it is late: until a limit is over, the status is what was true then. Null while all are on
 * time, so that the record of a healthy deployment keeps its etag. For rows `r` of runtimes.
 */
export const LATE_REPORT_OF_NODES = oldestLate('r.deployment_id');

/** The same, also for a Supervisor that is late or has stopped. For rows `d` of deployments and a left join of cells `c`. */
export const LATE_REPORT = oldestLate('d.id', OF_SUPERVISOR);
