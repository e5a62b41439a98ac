/**
 * What the drivers of a deployment can do now. A deployment keeps the broker of its nodes, so the broker of new deployments does
 * not count. A deployment also keeps the cloud driver of its resources: after a switch to another driver, the deployment has what it was created
 * with, because its Supervisor still runs the earlier driver. The driver of its name is none of a cloud. A cell of an earlier release has announced one broker for all deployments. For
 * rows `d` of deployments and `c` of their cells.
 */
export const FEATURES_NOW = `case
     when exists (select from cloud_resources r where r.deployment_id = d.id and r.kind <> 'dns_record'
                     and r.driver <> c.cloud_drivers ->> d.cloud)
     then d.features
     when c.brokers = '{}' then c.features -> d.cloud
     else c.brokers -> coalesce((select n.broker_driver from nodes n where n.deployment_id = d.id order by n.ordinal limit 1),
                                c.broker_driver) -> 'features' -> d.cloud end`;
