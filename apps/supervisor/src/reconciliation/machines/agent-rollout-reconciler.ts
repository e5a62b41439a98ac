import { Inject, Injectable } from '@nestjs/common';
import { AGENT_TRIAL_SECONDS } from '@libs/domain';
import { Database } from '@libs/persistence';
import { AgentRolloutsRepository, type RolloutCounts, type UnfinishedRollout } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';

const PERIOD_MS = 2_000;
/** A roll-out begins within this time. */
const QUIET_MS = 10_000;
/** One machine that goes back may have a problem of its own. */
const REFUSALS_TO_STOP = 2;
/** A tenth of the machines at a time, after the first one. */
const PARTS = 10;

/** What a roll-out does next. */
export type RolloutStep = { ask: number } | { stop: string } | 'complete' | 'wait';

/** First one machine, and after its success a tenth of the machines at a time. */
export function nextStep({ machines, settled, refused, trying, waiting }: RolloutCounts): RolloutStep {
  if (refused >= REFUSALS_TO_STOP) return { stop: `${refused} machines went back to the earlier program.` };
  if (waiting === 0 && trying === 0) {
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
    const counts = await this.rollouts.count(id);
    const step = nextStep(counts);
    if (step === 'wait') return;
    if (step === 'complete') await this.rollouts.complete(id);
    else if ('stop' in step) await this.rollouts.stop(id, step.stop);
    else await this.rollouts.ask(id, step.ask);
    this.logger.log({ rollout: id, sha256, step, ...counts }, 'the roll-out of the agents continues');
  }
}
