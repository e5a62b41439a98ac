import { Injectable } from '@nestjs/common';
import type { AuditType } from '@libs/domain';
import { Ledger } from '@libs/ledger';
import { UnverifiedTracesRepository, type Trace, type User } from '@libs/persistence/organization';
import type { RequestTrace } from './domain-announcements.js';
import { DomainAdmission } from './domain-admission.js';

/**
 * Runs when the owner of a mailbox takes over an account with a new password. Before the verification of the address,
 * any person may have used the account. So everything created in that time that works without the password is removed.
 */
@Injectable()
export class AddressRecovery {
  constructor(
    private readonly traces: UnverifiedTracesRepository,
    private readonly admission: DomainAdmission,
    private readonly ledger: Ledger,
  ) {}

  /** Verifies the address. Claims no domain: the person who created the tenant may not be the owner of this mailbox. */
  async recover(user: User, trace: RequestTrace): Promise<void> {
    if (!user.isVerified) await this.clear(user, trace);
    await this.admission.admit(user, false, trace);
  }

  private async clear(user: User, trace: RequestTrace): Promise<void> {
    await this.record('api_key_deleted', await this.traces.removeKeys(user.id), user, trace);
    await this.record('invitation_cancelled', await this.traces.removeInvitations(user.id), user, trace);
    await this.record('channel_deleted', await this.traces.removeChannels(user.id), user, trace);
    await this.record('tenant_updated', await this.traces.resetAddresses(user.id), user, trace);
  }

  private async record(
    audit: AuditType,
    traces: readonly Trace[],
    { id, name }: User,
    { traceId }: RequestTrace,
  ): Promise<void> {
    for (const { tenant_id: tenantId, division, data } of traces)
      await this.ledger.record({
        audit,
        author: { user: { id, name }, apiKey: null },
        context: { tenantId, division, environment: null, deployment: null },
        data,
        traceId,
      });
  }
}
