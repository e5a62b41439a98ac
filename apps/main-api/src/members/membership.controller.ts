import { Controller, Delete } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  Audited,
  FailsWith,
  InTenant,
  InTransaction,
  NoContent,
  SessionOnly,
  type ActingCaller,
} from '@libs/http';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('tenants/:tenant_id/membership')
export class MembershipController {
  constructor(private readonly members: MembersService) {}

  /** Leaves the tenant. The keys that the caller has there are deleted. The owner cannot leave. */
  @Delete()
  @SessionOnly()
  @InTransaction()
  @Audited('member_left', 'invitation_cancelled')
  @InTenant()
  @NoContent()
  @FailsWith('tenant_not_found', 'owner_required')
  leave(@Actor() actor: ActingCaller): Promise<void> {
    return this.members.leave(actor);
  }
}
