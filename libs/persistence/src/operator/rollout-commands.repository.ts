import { Injectable } from '@nestjs/common';
import type { AgentRolloutId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { AgentRollout } from '../runtime/machines/entities/agent-rollout.entity.js';

/** A roll-out as operator commands show it. */
export interface OperatorRollout extends AgentRollout {
  /** Machines that the roll-out asked last, and those of them that went back. */
  asked: number;
  refused: number;
  /** Machines of the cell that are not removed. */
  machines: number;
}

const LIST = statement(
  'operator.rollouts',
  `select r.id, r.cell, r.sha256, r.state, r.reason, r.started_at, r.ended_at,
          count(m.id) filter (where m.wanted_attempt = r.id)::int as asked,
          count(m.id) filter (where m.wanted_attempt = r.id and m.agent_refusal is not null)::int as refused,
          count(m.id)::int as machines
     from (select * from agent_rollouts order by id desc limit $1) r
     left join machines m on m.cell = r.cell and m.status <> 'removed'
    group by r.id, r.cell, r.sha256, r.state, r.reason, r.started_at, r.ended_at order by r.id desc`,
);
const FIND_PROGRAMS = statement(
  'operator.rollout_programs',
  `select distinct cell, sha256 from agent_rollouts
    where sha256 like $1 || '%' and ($2::text is null or cell = $2) order by cell, sha256 limit 3`,
);
const BEGIN = statement(
  'operator.begin_rollout',
  `insert into agent_rollouts (cell, sha256) values ($1, $2)
       on conflict (cell) where state = 'running' do nothing returning id`,
);

/** Roll-outs of new agents, for the commands of operators. */
@Injectable()
export class RolloutCommandsRepository {
  constructor(private readonly database: Database) {}

  /** The newest first. */
  async list(limit: number): Promise<OperatorRollout[]> {
    return this.database.query<OperatorRollout>(LIST, [limit]);
  }

  /** Programs that were rolled out before and whose hash begins with `prefix`, which is hexadecimal. At most three. */
  async findPrograms(prefix: string, cell: string | null): Promise<Pick<AgentRollout, 'cell' | 'sha256'>[]> {
    return this.database.query(FIND_PROGRAMS, [prefix, cell]);
  }

  /** Null when a roll-out of the cell is running. */
  async begin(cell: string, sha256: string): Promise<AgentRolloutId | null> {
    const [row] = await this.database.query<Pick<AgentRollout, 'id'>>(BEGIN, [cell, sha256]);
    return row?.id ?? null;
  }

  /** Returns false when there is no such roll-out that is running. */
  async stop(id: AgentRolloutId): Promise<boolean> {
    const reason = 'An operator stopped the roll-out.';
    const changes = { state: 'stopped', reason, ended_at: () => 'now()' } as const;
    const { affected } = await this.database.repository(AgentRollout).update({ id, state: 'running' }, changes);
    return affected === 1;
  }
}
