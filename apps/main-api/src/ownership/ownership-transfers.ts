import { Injectable } from '@nestjs/common';
import { DomainError, type OwnershipTransferId } from '@libs/domain';
import { Page, type ActingCaller, type TimedListQuery } from '@libs/http';
import {
  MembersRepository,
  OwnershipTransfersRepository,
  type OwnershipTransfer,
} from '@libs/persistence/organization';
import { InvitationWithdrawal } from '../members/index.js';
import { OwnedTenants, TenantEntitlements } from '../tenants/index.js';
import type { OwnershipTransferView } from './dto/ownership-transfer.view.js';
import { OwnershipAnnouncements } from './ownership-announcements.js';

/** Transfers of ownership, for the member who gets the offer. */
@Injectable()
export class OwnershipTransfers {
  constructor(
    private readonly transfers: OwnershipTransfersRepository,
    private readonly members: MembersRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly owned: OwnedTenants,
    private readonly invitations: InvitationWithdrawal,
    private readonly announcements: OwnershipAnnouncements,
  ) {}

  async list({ caller }: ActingCaller, query: TimedListQuery): Promise<Page<OwnershipTransferView>> {
    return Page.of(await this.transfers.listTo(caller.user.id, query), toView, query);
  }

  /** @throws DomainError ownership_transfer_not_found */
  async get({ caller }: ActingCaller, id: OwnershipTransferId): Promise<OwnershipTransferView> {
    return toView(found(await this.transfers.findTo(caller.user.id, id)));
  }

  /** @throws DomainError ownership_transfer_not_found, tenant_not_found, state_conflict, plan_limit_reached */
  async accept(actor: ActingCaller, id: OwnershipTransferId): Promise<void> {
    const transfer = await this.lockPending(actor, id);
    const tenantId = transfer.tenant.id;
    const { user } = actor.caller;
    const member = await this.members.findForUpdate({ tenantId, divisionScope: null }, user.id);
    if (!member?.active) throw conflict('You are not an active member of the tenant any more.');
    await this.owned.requireBelowLimit(user.id);
    await this.transfers.answer(tenantId, id, 'accepted');
    if (!(await this.transfers.handOver(tenantId, transfer.from.id, user.id)))
      throw conflict('The tenant has another owner by now.');
    await this.announcements.accepted(actor, transfer);
    await this.invitations.withdraw(actor, tenantId, [transfer.from.id]);
  }

  /** @throws DomainError ownership_transfer_not_found, tenant_not_found, state_conflict */
  async reject(actor: ActingCaller, id: OwnershipTransferId): Promise<void> {
    const transfer = await this.lockPending(actor, id);
    await this.transfers.answer(transfer.tenant.id, id, 'rejected');
    await this.announcements.rejected(actor, transfer);
  }

  /** Locks the tenant first, like all other code. Of two concurrent answers, the second finds the transfer answered. */
  private async lockPending({ caller }: ActingCaller, id: OwnershipTransferId): Promise<OwnershipTransfer> {
    const { tenant } = found(await this.transfers.findTo(caller.user.id, id));
    await this.entitlements.lock(tenant.id);
    const transfer = found(await this.transfers.findToForUpdate(caller.user.id, id));
    const { status } = transfer;
    if (status === 'pending') return transfer;
    const detail = status === 'expired' ? 'The seven days are over.' : `The transfer was ${status} before.`;
    throw new DomainError('state_conflict', detail, { members: { state: status } });
  }
}

const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

function found(transfer: OwnershipTransfer | null): OwnershipTransfer {
  if (!transfer) throw new DomainError('ownership_transfer_not_found', 'You have no offer of a tenant with this id.');
  return transfer;
}

const toView = ({ id, tenant, from, status, expires_at, created_at }: OwnershipTransfer): OwnershipTransferView => ({
  id,
  tenant,
  owner: { id: from.id, name: from.name },
  status,
  expires_at: expires_at.toISOString(),
  created_at: created_at.toISOString(),
});
