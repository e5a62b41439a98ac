import { Delete } from '@nestjs/common';
import { Actor, FailsWith, Routes, SESSION, Writes, type ActingCaller } from '@libs/http';
import { MembersService } from './members.service.js';

@Routes('tenants/:tenant_id/membership', 'Members')
export class MembershipController {
  constructor(private readonly members: MembersService) {}

  /** Leaves the tenant. The keys that the caller has there are deleted. The owner cannot leave. */
  @Delete()
  @Writes(SESSION, 'member_left', 'invitation_cancelled')
  @FailsWith('owner_required')
  leave(@Actor() actor: ActingCaller): Promise<void> {
    return this.members.leave(actor);
  }
}
