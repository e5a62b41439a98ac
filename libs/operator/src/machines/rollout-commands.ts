import type { AgentRolloutId } from '@libs/domain';
import { statement } from '@libs/persistence';
import { AgentRollout } from '@libs/persistence/operator';
import { OperatorRefused } from '../operator-refused.js';
import type { OperatorSession } from '../operator-session.js';

/** A roll-out as operator commands show it. */
export interface OperatorRollout extends AgentRollout {
  /** Machines that the roll-out asked last, and those of them that went back. */
  asked: number;
  refused: number;
  /** Machines of the cell that are not removed. */
  machines: number;
}

export interface RolloutRequest {
  /** The first characters of the program's sha256, at least twelve. */
  program: string;
  cell?: string;
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

/** Roll-outs of new agents to the machines. */
export class RolloutCommands {
  constructor(private readonly session: OperatorSession) {}

  /** The newest first. */
  list(limit: number): Promise<OperatorRollout[]> {
    return this.session.database.query<OperatorRollout>(LIST, [limit]);
  }

  /** Begins another roll-out of a program that was rolled out before. @throws OperatorRefused */
  async begin({ program, cell }: RolloutRequest): Promise<AgentRolloutId> {
    if (!/^[0-9a-f]{12,64}$/.test(program))
      throw new OperatorRefused('Give at least the first 12 characters of the sha256 of the program.');
    const { database, journal } = this.session;
    return database.transaction(async () => {
      const programs = await database.query<Pick<AgentRollout, 'cell' | 'sha256'>>(FIND_PROGRAMS, [
        program,
        cell ?? null,
      ]);
      const [rollout, ...others] = programs;
      if (!rollout)
        throw new OperatorRefused(`No roll-out had the program ${program}. List them: landlord machines rollouts`);
      if (others.length > 0)
        throw new OperatorRefused(
          'More than one cell has, or more than one program is, like that. Give --cell, or more characters.',
        );
      const [begun] = await database.query<Pick<AgentRollout, 'id'>>(BEGIN, [rollout.cell, rollout.sha256]);
      if (!begun) throw new OperatorRefused(`A roll-out of the cell ${rollout.cell} is running. Stop it first.`);
      const subject = `roll-out ${begun.id}`;
      await journal.record({ verb: 'machines rollout', subject, detail: { ...rollout } });
      return begun.id;
    });
  }

  /** Machines that have changed keep the program. @throws OperatorRefused */
  async stop(id: AgentRolloutId): Promise<void> {
    await this.session.database.transaction(async () => {
      if (!(await this.storeStop(id))) throw new OperatorRefused(`There is no roll-out ${id} that is running.`);
      await this.session.journal.record({ verb: 'machines stop-rollout', subject: `roll-out ${id}`, detail: {} });
    });
  }

  private async storeStop(id: AgentRolloutId): Promise<boolean> {
    const reason = 'An operator stopped the roll-out.';
    const changes = { state: 'stopped', reason, ended_at: () => 'now()' } as const;
    const running = { id, state: 'running' } as const;
    const { affected } = await this.session.database.repository(AgentRollout).update(running, changes);
    return affected === 1;
  }
}
