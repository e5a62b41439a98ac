import { Injectable } from '@nestjs/common';
import type { DeploymentId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';

/** Refused sign-ins from one address at a node. */
export interface ReportedRefusal {
  nodeId: NodeId;
  address: string;
  /** The newest one: milliseconds since the epoch, by the clock of the node. */
  at: number;
}

/** An address whose refused sign-ins the channels have not been told about within the last hour. */
export interface RefusalAlarm {
  deploymentId: DeploymentId;
  address: string;
}

// A deployment has at most 20 alarms an hour: an attacker with many addresses must not flood the channels.
const RECORD = statement(
  'login_refusals.record',
  `with reported as (
     select n.deployment_id, t.address, max(to_timestamp(t.at / 1000.0)) as last_at
       from jsonb_to_recordset($1::jsonb) as t(node_id bigint, address text, at double precision)
       join nodes n on n.id = t.node_id and n.status <> 'deleting'
      group by n.deployment_id, t.address
   ), old as (
     delete from login_refusals l using (
       select deployment_id, address from login_refusals where announced_at < now() - interval '1 day'
        order by announced_at limit 100 for update skip locked) o
      where l.deployment_id = o.deployment_id and l.address = o.address
   ), ranked as (
     select k.*, row_number() over (partition by k.deployment_id, k.is_announced order by k.address) as place
       from (select r.*, exists (select 1 from login_refusals a
                                  where a.deployment_id = r.deployment_id and a.address = r.address
                                    and a.announced_at > now() - interval '1 hour') as is_announced
               from reported r) k
   ), recorded as (
     insert into login_refusals as l (deployment_id, address, last_at)
     select r.deployment_id, r.address, r.last_at from ranked r
      where r.is_announced
         or r.place + (select count(*) from login_refusals o
                        where o.deployment_id = r.deployment_id and o.announced_at > now() - interval '1 hour') <= 20
      order by r.deployment_id, r.address
     on conflict (deployment_id, address) do update
       set last_at = excluded.last_at,
           announced_at = case when l.announced_at < now() - interval '1 hour' then now() else l.announced_at end
       where excluded.last_at > l.last_at
     returning l.deployment_id, l.address, l.announced_at
   )
   select deployment_id as "deploymentId", address from recorded where announced_at = now() order by 1, 2`,
);

/** The addresses whose sign-ins brokers have refused, and when the channels were told. */
@Injectable()
export class LoginRefusalsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the addresses that the channels have to be told about now. The caller tells them in the same transaction. */
  async record(reported: readonly ReportedRefusal[]): Promise<RefusalAlarm[]> {
    const rows = reported.map(({ nodeId, address, at }) => ({ node_id: nodeId, address, at }));
    return this.database.query<RefusalAlarm>(RECORD, [JSON.stringify(rows)]);
  }
}
