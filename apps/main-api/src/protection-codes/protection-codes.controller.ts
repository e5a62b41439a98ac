import { Body, Put } from '@nestjs/common';
import { Actor, ANY_CALLER, FailsWith, Routes, Writes, type ActingCaller } from '@libs/http';
import { RequestCodeDto } from './dto/request-code.dto.js';
import { ProtectionCodesService } from './protection-codes.service.js';

@Routes('tenants/:tenant_id/request_code', 'Organization')
export class ProtectionCodesController {
  constructor(private readonly codes: ProtectionCodesService) {}

  /**
   * Mails a one-time code to the contact address of the organization, or to the earlier address for 24 hours after a
   * change. The DELETE of a protected resource takes the code as `?code=`. A new code replaces the last one. The caller
   * needs the permission of that DELETE on the resource in the payload. A code for `transfer_tenant` goes to the owner's
   * own address, and only the owner can request it, by session.
   */
  @Put()
  @Writes(ANY_CALLER, 'protection_code_requested')
  @FailsWith('division_not_found', 'environment_not_found', 'deployment_not_found')
  @FailsWith('insufficient_permissions', 'code_already_requested')
  @FailsWith('api_key_not_allowed', 'not_tenant_owner', 'member_not_found')
  request(@Actor() actor: ActingCaller, @Body() { action }: RequestCodeDto): Promise<void> {
    return this.codes.request(actor, action);
  }
}
