import { Body, Controller, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, AnyCaller, Audited, FailsWith, Idempotent, InTenant, NoContent, type ActingCaller } from '@libs/http';
import { RequestCodeDto } from './dto/request-code.dto.js';
import { ProtectionCodesService } from './protection-codes.service.js';

@ApiTags('Organization')
@Controller('tenants/:tenant_id/request_code')
export class ProtectionCodesController {
  constructor(private readonly codes: ProtectionCodesService) {}

  /**
   * Mails a one-time code to the organization's address; for 24 hours after a change of that address, to the one before. The code
   * is sent as `?code=` with the DELETE of what is protected, and replaces the last one. Needs the permission of that DELETE, at the
   * place of the payload. The code of `transfer_tenant` goes to the owner's own address, and only the owner asks for it, by session.
   */
  @Put()
  @AnyCaller()
  @Idempotent()
  @Audited('protection_code_requested')
  @InTenant()
  @NoContent()
  @FailsWith('division_not_found', 'environment_not_found', 'deployment_not_found')
  @FailsWith('insufficient_permissions', 'code_already_requested')
  @FailsWith('api_key_not_allowed', 'not_tenant_owner', 'member_not_found')
  request(@Actor() actor: ActingCaller, @Body() { action }: RequestCodeDto): Promise<void> {
    return this.codes.request(actor, action);
  }
}
