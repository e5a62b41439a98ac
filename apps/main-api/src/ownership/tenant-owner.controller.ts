import { Body, Put, Query } from '@nestjs/common';
import { Actor, CodeQuery, FailsWith, NoContent, Routes, SESSION, Writes, type ActingCaller } from '@libs/http';
import { type Written } from '@libs/domain';
import { TransferOwnershipDto } from './dto/transfer-ownership.dto.js';
import { OwnershipOffers } from './ownership-offers.js';

@Routes('tenants/:tenant_id/owner', 'Organization')
export class TenantOwnerController {
  constructor(private readonly offers: OwnershipOffers) {}

  /**
   * Offers the tenant to a member, who has seven days to accept. A new offer replaces a pending one. Only the owner can
   * offer the tenant, by session, with a one-time code for `transfer_tenant` that is mailed to the owner's own address.
   * On acceptance the member becomes the owner, and the former owner becomes an admin.
   */
  @Put()
  @Writes(SESSION, 'ownership_transfer_requested')
  @NoContent('ownership-transfer')
  @FailsWith('member_not_found', 'not_tenant_owner')
  @FailsWith('protection_code_required', 'protection_code_invalid', 'state_conflict')
  offer(
    @Actor() actor: ActingCaller,
    @Body() dto: TransferOwnershipDto,
    @Query() { code }: CodeQuery,
  ): Promise<Written<undefined>> {
    return this.offers.offer(actor, dto, code);
  }
}
