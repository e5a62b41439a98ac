import { Body, Delete, Get, Put, Query } from '@nestjs/common';
import {
  Actor,
  ANY_CALLER,
  FailsWith,
  IfMatch,
  Lists,
  PathId,
  Reads,
  Routes,
  Writes,
  WritesWhenChanged,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type UserId } from '@libs/domain';
import { ListMembersQuery } from './dto/list-members.query.js';
import { MemberPermissionsView } from './dto/member-permissions.view.js';
import { MemberView } from './dto/member.view.js';
import { UpdateMemberDto } from './dto/update-member.dto.js';
import { MembersService } from './members.service.js';

@Routes('tenants/:tenant_id/members', 'Members', { member_id: 'A member of the tenant, by the id of the user.' })
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /** Lists the members of the tenant. A caller of one division sees the members of that division. */
  @Get()
  @Lists('member:read', MemberView)
  list(@Actor() actor: ActingCaller, @Query() query: ListMembersQuery): Promise<Page<MemberView>> {
    return this.members.list(actor, query);
  }

  /** Reads the permissions of the caller: all roles of a member, limited by the key when a key calls. */
  @Get('permissions')
  @Reads(ANY_CALLER, MemberPermissionsView)
  permissions(@Actor() actor: ActingCaller): Promise<MemberPermissionsView> {
    return this.members.permissions(actor);
  }

  /** Reads one member. */
  @Get(':member_id')
  @Reads('member:read', MemberView)
  get(@Actor() actor: ActingCaller, @PathId() id: UserId): Promise<MemberView> {
    return this.members.get(actor, id);
  }

  /**
   * Changes the roles of a member, or whether the member is active. Callers cannot change their own membership or the
   * owner's. A caller cannot grant permissions that the caller does not hold, and nobody can grant the role `owner`.
   * Pending invitations that the member may no longer send are cancelled. The keys of an inactive member do not work
   * until the member is active again.
   */
  @Put(':member_id')
  @WritesWhenChanged('member:manage', 'member_updated', 'invitation_cancelled')
  @FailsWith('role_not_found', 'owner_required', 'state_conflict')
  update(
    @Actor() actor: ActingCaller,
    @PathId() id: UserId,
    @Body() dto: UpdateMemberDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.members.update(actor, id, dto, precondition);
  }

  /**
   * Removes a member. Callers cannot remove themselves or the owner. The request deletes the keys of the member and
   * cancels the member's pending invitations.
   */
  @Delete(':member_id')
  @Writes('member:manage', 'member_removed', 'invitation_cancelled')
  @FailsWith('owner_required', 'state_conflict')
  remove(@Actor() actor: ActingCaller, @PathId() id: UserId, @IfMatch() precondition: Precondition): Promise<void> {
    return this.members.remove(actor, id, precondition);
  }
}
