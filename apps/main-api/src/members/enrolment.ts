import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import { DomainError, type RoleId, type UserId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger, type LedgerContext } from '@libs/ledger';
import { MembersRepository } from '@libs/persistence/organization';
import { TenantEntitlements } from '../tenants/index.js';

/** A user who becomes a member of a tenant, and the roles of this member. */
export interface Newcomer {
  user: { id: UserId; name: string };
  email: string;
  /** The tenant, and the only division that the member can reach, if any. */
  context: LedgerContext;
  roleIds: readonly RoleId[];
}

/** Adds members to an existing tenant, by invitation or by request. */
@Injectable()
export class Enrolment {
  constructor(
    private readonly members: MembersRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Makes a user a member under the lock of the tenant, and notifies the channels. The caller records the audit entry,
   * because only the caller has the reason.
   * @throws DomainError state_conflict for an existing member, plan_limit_reached
   */
  async enrol(actor: ActingCaller, { user, email, context, roleIds }: Newcomer): Promise<void> {
    const { tenantId, division } = context;
    const entitlements = await this.entitlements.lock(tenantId);
    const isNew = await this.members.join({ tenantId, userId: user.id, divisionId: division?.id ?? null, roleIds });
    if (!isNew) throw new DomainError('state_conflict', `${email} is already a member.`);
    requireBelowLimit(entitlements, 'members_limit', (await this.members.count(tenantId)) - 1);
    const event = {
      type: 'member_joined' as const,
      key: `member_joined:${tenantId}:${user.id}:${actor.requestId}`,
      subject: `${user.name} joined`,
      data: { user_id: user.id, name: user.name, email },
    };
    await this.ledger.announce(event, context, actor.traceId);
  }
}
