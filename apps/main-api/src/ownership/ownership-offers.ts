import { Injectable } from '@nestjs/common';
import { DomainError, Written } from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import {
  MembersRepository,
  OwnershipTransfersRepository,
  TenantsRepository,
  UsersRepository,
  type Member,
} from '@libs/persistence/organization';
import { ProtectionCodes } from '../protection-codes/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { TransferOwnershipDto } from './dto/transfer-ownership.dto.js';
import { OwnershipAnnouncements } from './ownership-announcements.js';

/** Transfers of ownership, for the owner. */
@Injectable()
export class OwnershipOffers {
  constructor(
    private readonly transfers: OwnershipTransfersRepository,
    private readonly tenants: TenantsRepository,
    private readonly members: MembersRepository,
    private readonly users: UsersRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly codes: ProtectionCodes,
    private readonly announcements: OwnershipAnnouncements,
  ) {}

  /**
   * @throws DomainError not_tenant_owner, member_not_found, protection_code_required, protection_code_invalid, state_conflict
   */
  async offer(
    actor: ActingCaller,
    { member_id: memberId }: TransferOwnershipDto,
    code: string | undefined,
  ): Promise<Written<undefined>> {
    const { tenantId, caller } = actor;
    await this.entitlements.lock(tenantId);
    const { owner_id: ownerId } = await this.tenants.get(tenantId);
    if (ownerId !== caller.user.id)
      throw new DomainError('not_tenant_owner', 'Only the owner can transfer the tenant.');
    const member = await this.members.findForUpdate({ tenantId, divisionScope: null }, memberId);
    if (!member) throw new DomainError('member_not_found', 'No such member.');
    await this.codes.require({ actionType: 'transfer_tenant', resourceId: tenantId, memberId }, true, code);
    await this.requireEligible(member);
    const { id, expires_at } = await this.transfers.request(tenantId, ownerId, memberId);
    await this.announcements.offered(actor, member, id, expires_at);
    return new Written(undefined, { 'ownership-transfer': id });
  }

  private async requireEligible({ id, owner, active }: Member): Promise<void> {
    if (owner) throw new DomainError('state_conflict', 'You already own the tenant.');
    if (active && (await this.users.find(id))?.isVerified) return;
    throw new DomainError('state_conflict', 'The member is not active, or the e-mail address is not verified.');
  }
}
