import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Ledger, type FoundEvent } from '@libs/ledger';
import { ExpiringKeysRepository, type ExpiringKey, type KeyCursor } from '@libs/persistence/organization';
import { ScheduledJob, JobScheduler } from '@libs/workflow';

const DAYS = 7;
const BATCH = 500;

/**
 * Announces every API key that expires within a week once: to the channels of the tenant, or of the division of the
 * key. The expiry of a key never changes, so the id of the key makes the event unique.
 */
@Injectable()
export class KeyExpiryJob extends ScheduledJob {
  constructor(
    scheduler: JobScheduler,
    private readonly keys: ExpiringKeysRepository,
    private readonly ledger: Ledger,
  ) {
    super(scheduler, 'api_key_expiry', '24h');
  }

  async run(stopping: AbortSignal): Promise<void> {
    let after: KeyCursor | null = null;
    while (!stopping.aborted) {
      const keys: ExpiringKey[] = await this.keys.findUnscoped(DAYS, after, BATCH);
      await this.ledger.announceOnce(keys.map(toEvent));
      if (keys.length < BATCH) return;
      after = keys.at(-1)?.cursor ?? null;
    }
  }
}

function toEvent({ id, tenantId, name, expiryAt, division }: ExpiringKey): FoundEvent {
  const expiry = expiryAt.toISOString();
  return {
    event: {
      type: 'api_key_expiring',
      key: `api_key_expiring:${id}`,
      subject: `API key ${name} expires on ${expiry}`,
      data: { name, expiry_at: expiry, api_key_id: id },
    },
    context: { tenantId, division, environment: null, deployment: null },
    // No request caused the event, so a new trace starts here.
    traceId: randomBytes(16).toString('hex'),
  };
}
