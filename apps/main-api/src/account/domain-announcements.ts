import { Injectable } from '@nestjs/common';
import type { AuditType, JoinRequestId, TenantId } from '@libs/domain';
import { Ledger, type LedgerEvent, type LedgerContext } from '@libs/ledger';
import type { DomainHolder, User } from '@libs/persistence/organization';
import { AccountMails } from './account-mails.js';

/** The request of an event. */
export interface RequestTrace {
  traceId: string;
  requestId: string;
}

interface Happening {
  audit: AuditType;
  tenantId: TenantId;
  user: User;
  data: object;
  event?: LedgerEvent;
}

/** Announces new users of a domain: to the audit, the notification channels and the owner. */
@Injectable()
export class DomainAnnouncements {
  constructor(
    private readonly ledger: Ledger,
    private readonly mails: AccountMails,
  ) {}

  async founded(tenant: { id: TenantId; name: string }, user: User, trace: RequestTrace): Promise<void> {
    await this.record({ audit: 'tenant_created', tenantId: tenant.id, user, data: { name: tenant.name } }, trace);
  }

  async claimed(tenant: { id: TenantId }, user: User, domain: string, trace: RequestTrace): Promise<void> {
    const data = { email_domain: domain };
    await this.record({ audit: 'email_domain_claimed', tenantId: tenant.id, user, data }, trace);
  }

  async joined(tenant: DomainHolder, user: User, trace: RequestTrace): Promise<void> {
    const data = { email: user.email, roles: ['viewer'] };
    const event = {
      type: 'member_joined' as const,
      key: `member_joined:${tenant.id}:${user.id}:${trace.requestId}`,
      subject: `${user.name} joined`,
      data: { user_id: user.id, name: user.name, email: user.email },
    };
    await this.record({ audit: 'member_joined', tenantId: tenant.id, user, data, event }, trace);
    await this.mails.joined({ user, tenant, owner: tenant.owner });
  }

  async requested(tenant: DomainHolder, user: User, requestId: JoinRequestId, trace: RequestTrace): Promise<void> {
    const data = { join_request_id: requestId, email: user.email };
    const event = {
      type: 'tenant_join_requested' as const,
      key: `tenant_join_requested:${requestId}`,
      subject: `${user.name} asks to join`,
      data: { user_id: user.id, name: user.name, ...data },
    };
    await this.record({ audit: 'join_requested', tenantId: tenant.id, user, data, event }, trace);
    await this.mails.joinRequested({ user, tenant, owner: tenant.owner }, requestId);
  }

  private async record({ audit, tenantId, user, data, event }: Happening, { traceId }: RequestTrace): Promise<void> {
    const named = { id: user.id, name: user.name };
    await this.ledger.record({
      audit,
      ...(event && { event }),
      author: { user: named, apiKey: null },
      context: tenantWide(tenantId),
      user: named,
      data,
      traceId,
    });
  }
}

const tenantWide = (tenantId: TenantId): LedgerContext => ({
  tenantId,
  division: null,
  environment: null,
  deployment: null,
});
