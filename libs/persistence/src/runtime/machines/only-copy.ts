/**
 * SQL: whether no node outside of the machine of `n` (machine_nodes) is certain to have the data of the deployment. `node` is its row in
 * nodes. The leader of an embedded cluster stores all messages. A cluster of nats has three copies of each message, on any three of its nodes.
 * A node that is not running may have lost its data.
 */
export const HAS_ONLY_COPY = `(n.intent = 'present' and node.status <> 'deleting' and case n.broker
  when 'embedded' then node.role = 'leader'
  else (
    select count(*) filter (where o.status <> 'running' or exists (
             select from machine_nodes same
              where same.node_id = o.id and same.machine_id = n.machine_id and same.intent = 'present'))
           >= least(count(*), 3)
      from nodes o where o.deployment_id = n.deployment_id and o.status <> 'deleting') end)`;
