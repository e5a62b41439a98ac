/**
 * What the drivers of a deployment can do now. A deployment keeps the broker of its nodes, so the broker of new deployments does
 * not count. A cell of an earlier release has announced one broker for all deployments. For rows `d` of deployments and `c` of
 * their cells.
 */
export const FEATURES_NOW = `case when c.brokers = '{}' then c.features -> d.cloud
     else c.brokers -> coalesce((select n.broker_driver from nodes n where n.deployment_id = d.id order by n.ordinal limit 1),
                                c.broker_driver) -> 'features' -> d.cloud end`;
