import { Injectable } from '@nestjs/common';
import type { AgentRolloutId, MachineId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { AgentRollout } from './entities/agent-rollout.entity.js';
import { MACHINE_SILENT_SECONDS } from './machine-capacity.js';

export type UnfinishedRollout = Pick<AgentRollout, 'id' | 'sha256' | 'state'>;

/** The machines of a cell in a roll-out. A machine that has not reported for a while is in no count. */
export interface RolloutCounts {
  /** Machines that report. */
  machines: number;
  /** They run the program, and the gateway has heard each agent since. */
  settled: number;
  /** They went back to the earlier program. */
  refused: number;
  /**
   * Votes against the program: each refused machine of the operator has one, and all machines in accounts of one customer have one
   * together. Votes of customers count only when the cell has no machine of the operator.
   */
  votes: number;
  /** They were asked, and are neither settled nor refused. */
  trying: number;
  /** They were asked, and are neither settled nor refused after the time of a trial. */
  leftOut: number;
  /** They were not asked yet. */
  waiting: number;
}

// A machine of another cell, a removed one and a silent one are not part of a roll-out now.
const REPORTING = `m.cell = r.cell and m.status <> 'removed' and m.last_seen_at > now() - interval '${MACHINE_SILENT_SECONDS} seconds'`;
const PRESENT = `n.machine_id = m.id and n.intent = 'present'`;
// After its own restart, a machine reports its nodes as pending first. A node that has failed or has never started waits for something else.
const SETTLED = `m.observed_generation = m.generation
  and (m.agent_sha256 = r.sha256 or m.agent_sha256 is null)
  and not exists (
    select from machine_nodes n join nodes on nodes.id = n.node_id
     where ${PRESENT} and case
       when n.agent_sha256 = r.sha256 then nodes.last_seen_at is null or nodes.last_seen_at <= n.agent_since
       else n.agent_sha256 is not null and n.state <> 'failed' end)`;

const BEGIN = statement(
  'agent_rollout.begin',
  `insert into agent_rollouts (cell, sha256)
   select $1, $2
    where not exists (select from agent_rollouts where cell = $1 and sha256 = $2)
       on conflict (cell) where state = 'running' do nothing`,
);
// Machines that try the program of a stopped roll-out may still go back.
const LOCK_UNFINISHED = statement(
  'agent_rollout.lock_unfinished',
  `select id, sha256, state from agent_rollouts
    where id = (select max(id) from agent_rollouts where cell = $1) and state <> 'done' for update skip locked`,
);
const DEFAULT = statement(
  'agent_rollout.default',
  `select sha256 from agent_rollouts where cell = $1 and state = 'done' order by id desc limit 1`,
);
// Its node has the new agent, the machine has reported for the time of the trial, and the agent has not.
const GO_BACK = statement(
  'agent_rollout.go_back',
  `update machines m
      set agent_refusal = 'The agent of node ' || silent.node_id || ' has reported nothing for ' || $2::integer || ' seconds.',
          wanted_agent = $3, generation = generation + 1
     from (select n.machine_id, min(n.node_id) as node_id
             from machine_nodes n
             join agent_rollouts r on r.id = $1
             join nodes on nodes.id = n.node_id
            where n.intent = 'present' and n.agent_sha256 = r.sha256 and n.agent_unheard_seconds >= $2
              and (nodes.last_seen_at is null or nodes.last_seen_at <= n.agent_since)
            group by n.machine_id) silent
    where m.id = silent.machine_id and m.wanted_attempt = $1 and m.agent_refusal is null and m.status <> 'removed'
   returning pg_notify('landlord_machines', m.id::text)`,
);
// The machine has reported a refusal. The agents of its nodes have not changed.
const RETURN_REFUSED = statement(
  'agent_rollout.return_refused',
  `update machines m set wanted_agent = $2, generation = generation + 1
    where m.wanted_attempt = $1 and m.agent_refusal is not null and m.wanted_agent is distinct from $2
      and m.status <> 'removed'
   returning pg_notify('landlord_machines', m.id::text)`,
);
// The customer in whose account the cloud made the machine. Null: a machine of the operator.
const CUSTOMER = `(select d.tenant_id from machine_nodes o join deployments d on d.id = o.deployment_id
   where o.machine_id = m.id and m.reserved_for is not null and d.variant = 'byoc' order by o.node_id limit 1)`;
// A machine that is all of one customer, also in the account of the operator, speaks for that customer only.
const VOTER = `coalesce((select 'tenant ' || d.tenant_id from machine_nodes o join deployments d on d.id = o.deployment_id
   where o.machine_id = m.id and m.reserved_for is not null order by o.node_id limit 1), 'machine ' || m.id)`;
const COUNT = statement(
  'agent_rollout.count',
  `select count(*)::int as machines,
          count(*) filter (where is_asked and is_settled and not is_refused)::int as settled,
          count(*) filter (where is_refused)::int as refused,
          (count(distinct voter) filter (where is_refused
             and (customer is null or not exists (select from machines o where o.cell = (select cell from agent_rollouts where id = $1)
                    and o.status <> 'removed' and o.reserved_for is null))))::int as votes,
          count(*) filter (where is_asked and not is_settled and not is_refused and not is_late)::int as trying,
          count(*) filter (where is_asked and not is_settled and not is_refused and is_late)::int as "leftOut",
          count(*) filter (where not is_asked)::int as waiting
     from (select m.wanted_attempt is not distinct from r.id as is_asked,
                  m.wanted_attempt is not distinct from r.id and m.agent_refusal is not null as is_refused,
                  coalesce(m.wanted_at, r.started_at) <= now() - make_interval(secs => $2) as is_late,
                  ${CUSTOMER} as customer, ${VOTER} as voter,
                  ${SETTLED} as is_settled
             from agent_rollouts r join machines m on ${REPORTING}
            where r.id = $1) as states`,
);
// They report, were asked, and have neither changed their agents nor refused. The newest roll-out of the cell names them.
const LEFT_OUT = statement(
  'agent_rollout.left_out',
  `select m.id, m.hostname from agent_rollouts r join machines m on ${REPORTING}
    where r.id = $1 and m.wanted_attempt = r.id and m.agent_refusal is null and not (${SETTLED})
      and coalesce(m.wanted_at, r.started_at) <= now() - make_interval(secs => $2)
    order by m.id limit 100`,
);
// Machines of the operator first. Nobody can know which one is the first.
const ASK = statement(
  'agent_rollout.ask',
  `update machines m
      set wanted_agent = r.sha256, wanted_attempt = r.id, wanted_at = now(), agent_refusal = null, generation = generation + 1
     from agent_rollouts r
    where r.id = $1 and m.id in (
      select m.id from machines m
       where ${REPORTING} and m.wanted_attempt is distinct from r.id
       order by ${CUSTOMER} is not null, m.reserved_for is not null, random() limit $2 for no key update)
   returning pg_notify('landlord_machines', m.id::text)`,
);
// Machines that were silent get the default of the cell from now on. Machines that refused the program keep theirs.
const RELEASE = statement(
  'agent_rollout.release',
  `update machines m set wanted_agent = null, generation = generation + 1
     from agent_rollouts r
    where r.id = $1 and m.cell = r.cell and m.status <> 'removed' and m.wanted_agent is not null
      and m.wanted_attempt is distinct from r.id
   returning pg_notify('landlord_machines', m.id::text)`,
);

/** The roll-outs of new agents to the machines of a cell. */
@Injectable()
export class AgentRolloutsRepository {
  constructor(private readonly database: Database) {}

  /** Begins the first roll-out of a program, unless another one is running. */
  async begin(cell: string, sha256: string): Promise<void> {
    await this.database.execute(BEGIN, [cell, sha256]);
  }

  /** Locks the newest roll-out until the end of the transaction. Null when it is complete, or another process has it. */
  async lockUnfinished(cell: string): Promise<UnfinishedRollout | null> {
    return this.database.first<UnfinishedRollout>(LOCK_UNFINISHED, [cell]);
  }

  /** The program of the last complete roll-out. */
  async findDefault(cell: string): Promise<string | null> {
    return (await this.database.first<Pick<AgentRollout, 'sha256'>>(DEFAULT, [cell]))?.sha256 ?? null;
  }

  /** Gives the earlier program to machines that refused the new one, or of which an agent of a node is silent for `seconds`. */
  async goBack(id: AgentRolloutId, seconds: number, earlier: string | null): Promise<void> {
    await this.database.execute(GO_BACK, [id, seconds, earlier]);
    await this.database.execute(RETURN_REFUSED, [id, earlier]);
  }

  /** `trialSeconds`: after this time without a result, an asked machine is left out. */
  async count(id: AgentRolloutId, trialSeconds: number): Promise<RolloutCounts> {
    const [row] = await this.database.query<RolloutCounts>(COUNT, [id, trialSeconds]);
    return row as RolloutCounts;
  }

  /** The machines that are left out, up to 100. */
  listLeftOut(id: AgentRolloutId, trialSeconds: number): Promise<{ id: MachineId; hostname: string }[]> {
    return this.database.query(LEFT_OUT, [id, trialSeconds]);
  }

  /** Gives the program to `machines` more machines. Returns their number. */
  ask(id: AgentRolloutId, machines: number): Promise<number> {
    return this.database.execute(ASK, [id, machines]);
  }

  async stop(id: AgentRolloutId, reason: string): Promise<void> {
    const changes = { state: 'stopped', reason, ended_at: () => 'now()' } as const;
    await this.database.repository(AgentRollout).update({ id, state: 'running' }, changes);
  }

  /** The program becomes the default of the cell. */
  async complete(id: AgentRolloutId): Promise<void> {
    const changes = { state: 'done', reason: null, ended_at: () => 'now()' } as const;
    await this.database.repository(AgentRollout).update({ id, state: 'running' }, changes);
    await this.database.execute(RELEASE, [id]);
  }
}
