import { Inject, Injectable } from '@nestjs/common';
import { AGENT_TRIAL_SECONDS, type AgentRolloutId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { IncidentsRepository } from '@libs/persistence/platform';
import { AgentRolloutsRepository, type RolloutCounts, type UnfinishedRollout } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';

const PERIOD_MS = 2_000;
/** A roll-out begins within this time. */
const QUIET_MS = 10_000;
/** One machine that goes back may have a problem of its own. */
const REFUSALS_TO_STOP = 2;
/** A machine that was asked and shows no result for this time is left out: the others do not wait for it. */
const TRIAL_LIMIT_SECONDS = 5 * AGENT_TRIAL_SECONDS;
const LEFT_OUT = 'agent_rollout_left_out';
/** A tenth of the machines at a time, after the first one. */
const PARTS = 10;

/** What a roll-out does next. */
export type RolloutStep = { ask: number } | { stop: string } | 'complete' | 'wait';

/** First one machine, and after its success a tenth of the machines at a time. */
export function nextStep({ machines, settled, refused, votes, trying, leftOut, waiting }: RolloutCounts): RolloutStep {
  if (votes >= REFUSALS_TO_STOP) return { stop: `${refused} machines went back to the earlier program.` };
  if (waiting === 0 && trying === 0) {
    if (settled === 0 && leftOut > 0) return { stop: 'No machine has shown that the program works.' };
    const isProven = refused === 0 || settled > 0;
    return isProven ? 'complete' : { stop: 'The only machine with this program went back to the earlier program.' };
  }
  const atOnce = settled === 0 ? 1 : Math.max(1, Math.floor(machines / PARTS));
  const ask = Math.min(waiting, atOnce - trying);
  return ask > 0 ? { ask } : 'wait';
}

/** Rolls a new program of the agents out to the machines of the cell. The brokers of the nodes continue to run. */
@Injectable()
export class AgentRolloutReconciler extends Reconciler {
  private readonly cell: string;

  constructor(
    private readonly database: Database,
    private readonly rollouts: AgentRolloutsRepository,
    private readonly incidents: IncidentsRepository,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('AgentRollout', PERIOD_MS);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(): Promise<number> {
    return this.database.transaction(async () => {
      const rollout = await this.rollouts.lockUnfinished(this.cell);
      if (rollout === null) return QUIET_MS;
      await this.advance(rollout);
      return PERIOD_MS;
    });
  }

  private async advance({ id, sha256, state }: UnfinishedRollout): Promise<void> {
    await this.rollouts.goBack(id, AGENT_TRIAL_SECONDS, await this.rollouts.findDefault(this.cell));
    if (state === 'stopped') return;
    const counts = await this.rollouts.count(id, TRIAL_LIMIT_SECONDS);
    await this.reportLeftOut(id);
    const step = nextStep(counts);
    if (step === 'wait') return;
    if (step !== 'complete' && 'ask' in step) await this.rollouts.ask(id, step.ask);
    else await this.end(id, step);
    this.logger.log({ rollout: id, sha256, step, ...counts }, 'the roll-out of the agents continues');
  }

  /** The incidents end with the roll-out: nobody waits for these machines any more. */
  private async end(id: AgentRolloutId, step: 'complete' | { stop: string }): Promise<void> {
    if (step === 'complete') await this.rollouts.complete(id);
    else await this.rollouts.stop(id, step.stop);
    await this.incidents.closeOthers(LEFT_OUT, `${this.cell} `, []);
  }

  /** An incident for each machine that is left out, until it has a result or the roll-out ends. */
  private async reportLeftOut(id: AgentRolloutId): Promise<void> {
    const machines = await this.rollouts.listLeftOut(id, TRIAL_LIMIT_SECONDS);
    const incidents = machines.map(({ id: machine, hostname }) => ({
      kind: LEFT_OUT,
      subject: `${this.cell} machine ${machine}`,
      detail: `Machine ${machine} (${hostname}) was asked to run a new agent and has shown no result for ${TRIAL_LIMIT_SECONDS} seconds. The roll-out continues without it.`,
    }));
    await this.incidents.closeOthers(
      LEFT_OUT,
      `${this.cell} `,
      incidents.map(({ subject }) => subject),
    );
    for (const incident of await this.incidents.open(incidents)) this.logger.error(incident, 'incident opened');
  }
}
