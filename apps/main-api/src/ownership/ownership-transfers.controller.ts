import { Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { OwnershipTransferId } from '@libs/domain';
import {
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  idParameter,
  NoContent,
  PageQuery,
  PathId,
  Returns,
  ReturnsPageOf,
  SessionOnly,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { OwnershipTransferView } from './dto/ownership-transfer.view.js';
import { OwnershipTransfers } from './ownership-transfers.js';

const MINE = 'A transfer of ownership to the user of the session.';

@ApiTags('Account')
@Controller('account/ownership_transfers')
export class OwnershipTransfersController {
  constructor(private readonly transfers: OwnershipTransfers) {}

  /** Lists the tenants that their owners have offered to you. */
  @Get()
  @SessionOnly()
  @ReturnsPageOf(OwnershipTransferView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: PageQuery): Promise<Page<OwnershipTransferView>> {
    return this.transfers.list(actor, query);
  }

  /** Reads one of them. */
  @Get(':ownership_transfer_id')
  @SessionOnly()
  @idParameter('ownership_transfer_id', MINE)
  @Returns(OwnershipTransferView)
  @FailsWith('ownership_transfer_not_found')
  get(
    @Actor() actor: ActingCaller,
    @PathId('ownership_transfer_id') id: OwnershipTransferId,
  ): Promise<OwnershipTransferView> {
    return this.transfers.get(actor, id);
  }

  /** Becomes the owner of the tenant; the former owner becomes an admin. */
  @Put(':ownership_transfer_id/accept')
  @SessionOnly()
  @Idempotent()
  @Audited('ownership_transferred', 'invitation_cancelled')
  @idParameter('ownership_transfer_id', MINE)
  @NoContent()
  @FailsWith('ownership_transfer_not_found', 'tenant_not_found', 'state_conflict', 'plan_limit_reached')
  accept(@Actor() actor: ActingCaller, @PathId('ownership_transfer_id') id: OwnershipTransferId): Promise<void> {
    return this.transfers.accept(actor, id);
  }

  /** Declines; the owner stays the owner. */
  @Put(':ownership_transfer_id/reject')
  @SessionOnly()
  @Idempotent()
  @Audited('ownership_transfer_rejected')
  @idParameter('ownership_transfer_id', MINE)
  @NoContent()
  @FailsWith('ownership_transfer_not_found', 'tenant_not_found', 'state_conflict')
  reject(@Actor() actor: ActingCaller, @PathId('ownership_transfer_id') id: OwnershipTransferId): Promise<void> {
    return this.transfers.reject(actor, id);
  }
}
