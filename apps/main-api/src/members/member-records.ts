import { Injectable } from '@nestjs/common';
import type { ApiKeyId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import type { Member } from '@libs/persistence/organization';
import { tenantWide } from '../platform/index.js';

/** The audit records of members. */
@Injectable()
export class MemberRecords {
  constructor(private readonly ledger: Ledger) {}

  async updated(
    actor: ActingCaller,
    member: Member,
    changes: Partial<Pick<Member, 'active' | 'roles'>>,
  ): Promise<void> {
    const { active, roles } = member;
    const previous = { ...('active' in changes && { active }), ...('roles' in changes && { roles }) };
    await this.record(actor, 'member_updated', member, { ...changes, previous });
  }

  /** Includes the keys that were deleted with the member. */
  async ended(
    actor: ActingCaller,
    audit: 'member_removed' | 'member_left',
    member: Member,
    apiKeys: readonly ApiKeyId[],
  ): Promise<void> {
    const roles = member.roles.map(({ name }) => name);
    await this.record(actor, audit, member, { email: member.email, roles, api_keys: apiKeys });
  }

  private async record(
    actor: ActingCaller,
    audit: 'member_updated' | 'member_removed' | 'member_left',
    { id, name }: Member,
    data: object,
  ): Promise<void> {
    const context = tenantWide(actor);
    const common = { author: actor.author, context, traceId: actor.traceId };
    await this.ledger.record({ audit, ...common, user: { id, name }, data });
  }
}
