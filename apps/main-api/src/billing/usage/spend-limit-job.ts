import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Ledger, type FoundEvent } from '@libs/ledger';
import { SpendRepository, type Spend } from '@libs/persistence/billing';
import { ScheduledJob, JobScheduler } from '@libs/workflow';

const BATCH = 500;

/** Announces every deployment that has reached its spend limit in this calendar month (UTC), once a month. */
@Injectable()
export class SpendLimitJob extends ScheduledJob {
  constructor(
    scheduler: JobScheduler,
    private readonly spends: SpendRepository,
    private readonly ledger: Ledger,
  ) {
    super(scheduler, 'spend_limits', '1h');
  }

  async run(stopping: AbortSignal): Promise<void> {
    let after = 0;
    while (!stopping.aborted) {
      const spends = await this.spends.watchedUnscoped(after, BATCH);
      await this.ledger.announceOnce(spends.filter(({ isReached }) => isReached).map(toEvent));
      if (spends.length < BATCH) return;
      after = spends.at(-1)?.deployment.id ?? after;
    }
  }
}

function toEvent({ deployment, code, spendLimit, spent, month, ...context }: Spend): FoundEvent {
  const { tenantId, division, environment } = context;
  return {
    event: {
      type: 'billing_limit_reached',
      key: `billing_limit_reached:${deployment.id}:${month}`,
      subject: `Deployment ${deployment.name} has reached its spend limit of ${spendLimit} USD for ${month}`,
      data: { name: deployment.name, code, spend_limit: spendLimit, spent, month },
    },
    context: { tenantId, division, environment, deployment },
    // No request caused the event, so a new trace starts here.
    traceId: randomBytes(16).toString('hex'),
  };
}
