import { IS_SILENT } from './machine-capacity.js';
import { HAS_ONLY_COPY } from './only-copy.js';

const IS_OPEN = `o.deployment_id = n.deployment_id and o.status in ('pending', 'running')`;
/** In an embedded cluster, the node with all messages. Otherwise the only node. */
const IS_ALONE = `(n.broker = 'embedded' or (select count(*) from nodes o where o.deployment_id = n.deployment_id) = 1)`;

/**
 * SQL: why the node of `n` (machine_nodes) cannot leave its draining machine now, as text for operators. Null: only the
 * capacity of other machines is not checked here. `m` is its machine, `node` its row in nodes, `r` the runtime of its deployment. The only
 * copy of the data leaves by a backup, which contains the data of a broker, and not the state of connectors.
 */
export const OBSTACLE = `case
  when ${IS_SILENT} then 'its machine does not report'
  when n.state <> 'active' then coalesce('it does not run on its machine: ' || n.reason, 'it does not run on its machine')
  when exists (select from operations o where ${IS_OPEN}) then
    (select case o.type when 'move_node' then 'operation ' || o.id || ' moves a node of its deployment'
                        else 'operation ' || o.id || ' of its deployment runs: ' || o.type end
       from operations o where ${IS_OPEN} order by o.changing desc, o.id limit 1)
  when r.status <> 'initialized' then 'its deployment is ' || r.status
  when exists (select from nodes o where o.deployment_id = n.deployment_id and o.status <> 'running') then 'a node of its deployment does not run'
  when not ${HAS_ONLY_COPY} then null
  when not ${IS_ALONE} then 'its machine may have all copies of the data of its cluster, and a cluster is not moved by a backup'
  when node.ordinal = 1 and exists (select from connector_instances i where i.deployment_id = n.deployment_id) then
    'its connectors keep their progress and their dead letters on it, and a backup does not contain them'
  when n.move_due_at > now() then 'its last move failed: ' || n.move_error || '. The next one starts after '
    || to_char(n.move_due_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
end`;
