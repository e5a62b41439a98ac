import { Get, Put, Query } from '@nestjs/common';
import type { OwnershipTransferId } from '@libs/domain';
import {
  Actor,
  FailsWith,
  Lists,
  TimedListQuery,
  PathId,
  Reads,
  Routes,
  SESSION,
  Writes,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { OwnershipTransferView } from './dto/ownership-transfer.view.js';
import { OwnershipTransfers } from './ownership-transfers.js';

@Routes('account/ownership_transfers', 'Account', {
  ownership_transfer_id: 'A transfer of ownership to the user of the session.',
})
export class OwnershipTransfersController {
  constructor(private readonly transfers: OwnershipTransfers) {}

  /** Lists the tenants that their owners have offered to you. */
  @Get()
  @Lists(SESSION, OwnershipTransferView)
  list(@Actor() actor: ActingCaller, @Query() query: TimedListQuery): Promise<Page<OwnershipTransferView>> {
    return this.transfers.list(actor, query);
  }

  /** Reads one of them. */
  @Get(':ownership_transfer_id')
  @Reads(SESSION, OwnershipTransferView)
  get(@Actor() actor: ActingCaller, @PathId() id: OwnershipTransferId): Promise<OwnershipTransferView> {
    return this.transfers.get(actor, id);
  }

  /** Becomes the owner of the tenant; the former owner becomes an admin. */
  @Put(':ownership_transfer_id/accept')
  @Writes(SESSION, 'ownership_transferred', 'invitation_cancelled')
  @FailsWith('tenant_not_found', 'state_conflict', 'plan_limit_reached')
  accept(@Actor() actor: ActingCaller, @PathId() id: OwnershipTransferId): Promise<void> {
    return this.transfers.accept(actor, id);
  }

  /** Declines; the owner stays the owner. */
  @Put(':ownership_transfer_id/reject')
  @Writes(SESSION, 'ownership_transfer_rejected')
  @FailsWith('tenant_not_found', 'state_conflict')
  reject(@Actor() actor: ActingCaller, @PathId() id: OwnershipTransferId): Promise<void> {
    return this.transfers.reject(actor, id);
  }
}
