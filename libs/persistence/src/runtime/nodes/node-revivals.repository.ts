import { Injectable } from '@nestjs/common';
import type { DeploymentId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';

/** A silent node whose next try is due. */
export interface SilentNode {
  id: NodeId;
  deploymentId: DeploymentId;
  /** Whether an agent has registered since the node was created or replaced. */
  isRegistered: boolean;
}

export interface SilentSearch {
  cell: string;
  /** Seconds without a report after which a node is silent. Null: only `ended` are taken. */
  silentSeconds: number | null;
  /** Nodes whose agents have ended for certain. */
  ended?: readonly NodeId[];
  /** Seconds until the second try. Each later pause is twice as long, up to five minutes, a quarter more or less. */
  pauseSeconds: number;
  limit: number;
}

const LONGEST_PAUSE_SECONDS = 300;
const PROOF_SECONDS = 60;

// The nodes that were never tried come first, then those of the oldest try, so a node that cannot be revived does not stand
// in front of others. A row from before the last report of its node counts as no row. Two Supervisors can find one node: the
// condition on the row gives the node to one of them.
const TAKE = statement(
  'node_revivals.take',
  `with due as materialized (
     select n.id, n.deployment_id, n.credential_confirmed, n.last_seen_at,
            case when v.tried_at > n.last_seen_at then v.tried_at end as tried_at,
            case when v.tried_at > n.last_seen_at then v.tries else 0 end as tries,
            case when v.tried_at > n.last_seen_at then v.gone_since end as gone_since
       from nodes n join deployment_runtimes r on r.deployment_id = n.deployment_id left join node_revivals v on v.node_id = n.id
      where r.cell = $1 and r.deleted_at is null and r.status in ('initialized', 'degraded', 'stopped')
        and n.status not in ('pending', 'deleting') and (n.last_seen_at < now() - make_interval(secs => $2) or n.id = any($5::bigint[]))
        and (v.node_id is null or v.due_at <= now() or v.tried_at <= n.last_seen_at)
      order by 5 nulls first, n.last_seen_at limit $4
   ), taken as (
     insert into node_revivals as v (node_id, tries, tried_at, due_at, gone_since)
     select id, tries + 1, now(),
            now() + make_interval(secs => least(${LONGEST_PAUSE_SECONDS}, $3 * 2 ^ least(tries, 10)) * (0.75 + random() / 2)),
            gone_since from due
     on conflict (node_id) do update
        set tries = excluded.tries, tried_at = excluded.tried_at, due_at = excluded.due_at, gone_since = excluded.gone_since
      where v.due_at <= now() or v.tried_at <= (select last_seen_at from due where due.id = v.node_id)
     returning node_id
   )
   select due.id, due.deployment_id as "deploymentId", due.credential_confirmed as "isRegistered"
     from due join taken on taken.node_id = due.id order by due.tried_at nulls first, due.last_seen_at`,
);
const NOTE = statement(
  'node_revivals.note',
  `update node_revivals set gone_since = case when node_id = any($2::bigint[]) then coalesce(gone_since, now()) end
    where node_id = any($1::bigint[]) and (gone_since is not null or node_id = any($2::bigint[]))
   returning node_id as id, coalesce(gone_since <= now() - interval '${PROOF_SECONDS} seconds', false) as "isProven"`,
);
const RETURN = statement(
  'node_revivals.return',
  'update node_revivals set due_at = now(), tries = greatest(0, tries - 1) where node_id = any($1::bigint[])',
);
const FORGET_GONE = statement(
  'node_revivals.forget_gone',
  'update node_revivals set gone_since = null where node_id = $1',
);

/** The memory of the search for silent nodes. */
@Injectable()
export class NodeRevivalsRepository {
  constructor(private readonly database: Database) {}

  /** Takes nodes of serving deployments whose try is due, those with the oldest try first. Only one caller gets a node. */
  async take({ cell, silentSeconds, pauseSeconds, limit, ended = [] }: SilentSearch): Promise<SilentNode[]> {
    return this.database.query<SilentNode>(TAKE, [cell, silentSeconds, pauseSeconds, limit, ended]);
  }

  /**
   * Records which of the described nodes their provider does not have. Returns the nodes that are proven to be gone: the
   * provider did not have them in any look of the last 60 seconds or longer, and in two looks at least.
   */
  async note(described: readonly NodeId[], gone: readonly NodeId[]): Promise<Set<NodeId>> {
    const noted = await this.database.query<{ id: NodeId; isProven: boolean }>(NOTE, [described, gone]);
    return new Set(noted.filter(({ isProven }) => isProven).map(({ id }) => id));
  }

  /** Gives nodes back that were not tried. Their try is due at once. */
  async giveBack(ids: readonly NodeId[]): Promise<void> {
    await this.database.execute(RETURN, [ids]);
  }

  /** The node is replaced. The proof was for the machine before. */
  async forgetGone(id: NodeId): Promise<void> {
    await this.database.execute(FORGET_GONE, [id]);
  }
}
