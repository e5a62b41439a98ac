import { Injectable } from '@nestjs/common';
import type { AuditType } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import type { AnsweredChannel } from '@libs/persistence/channels';

/** Records changes of channels in the tenant, or in the division of the channel. */
@Injectable()
export class ChannelLedger {
  constructor(private readonly ledger: Ledger) {}

  async record(actor: ActingCaller, audit: AuditType, data: object): Promise<void> {
    const { author, context, traceId } = actor;
    await this.ledger.record({ audit, author, context, data, traceId });
  }

  /** Records an action of the reader of an address, or of the system, which has no author in the tenant. */
  async recordWithoutAuthor(audit: AuditType, answered: AnsweredChannel, traceId: string): Promise<void> {
    const { tenantId, divisionId, divisionName, channel, name } = answered;
    const division = divisionId === null ? null : { id: divisionId, name: divisionName ?? '' };
    await this.ledger.record({
      audit,
      author: { user: null, apiKey: null },
      context: { tenantId, division, environment: null, deployment: null },
      data: { channel, name },
      traceId,
    });
  }
}
