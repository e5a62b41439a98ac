import { Injectable } from '@nestjs/common';
import { requireWithin } from '@libs/catalog';
import { DomainError } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger, type LedgerPlace } from '@libs/ledger';
import { Database } from '@libs/persistence';
import { MembersRepository } from '@libs/persistence/organization';
import { TenantEntitlements } from '../tenants/index.js';

/** Somebody who comes into a tenant, and as what. */
export interface Newcomer {
  user: { id: number; name: string };
  email: string;
  /** Where: the tenant, and the one division that they are confined to, if any. */
  place: LedgerPlace;
  roleIds: readonly number[];
}

/** The one way into a tenant that exists: by invitation or by request. */
@Injectable()
export class Enrolment {
  private readonly members: MembersRepository;

  constructor(
    database: Database,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
  ) {
    this.members = new MembersRepository(database);
  }

  /**
   * Makes a user a member, under the lock of the tenant, and tells the notification channels. The audit entry is the
   * caller's: it knows why.
   * @throws DomainError state_conflict for who is a member already, plan_limit_reached
   */
  async enrol(actor: ActingCaller, { user, email, place, roleIds }: Newcomer): Promise<void> {
    const { tenantId, division } = place;
    const entitlements = await this.entitlements.lock(tenantId);
    const isNew = await this.members.join({ tenantId, userId: user.id, divisionId: division?.id ?? null, roleIds });
    if (!isNew) throw new DomainError('state_conflict', `${email} is already a member.`);
    requireWithin(entitlements, 'members_limit', await this.members.count(tenantId));
    const event = {
      type: 'member_joined' as const,
      key: `member_joined:${tenantId}:${user.id}:${actor.requestId}`,
      subject: `${user.name} joined`,
      data: { user_id: user.id, name: user.name, email },
    };
    await this.ledger.announce(event, place, actor.traceId);
  }
}
