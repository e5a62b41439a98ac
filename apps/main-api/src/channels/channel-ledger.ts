import { Injectable } from '@nestjs/common';
import type { AuditType } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';

/** What is recorded of channels: in the tenant, or in the division that they belong to. */
@Injectable()
export class ChannelLedger {
  constructor(private readonly ledger: Ledger) {}

  async record(actor: ActingCaller, audit: AuditType, data: object): Promise<void> {
    const { author, place, traceId } = actor;
    await this.ledger.record({ audit, author, place, data, traceId });
  }
}
