import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  AnyCaller,
  Audited,
  AuditedWhenChanged,
  FailsWith,
  HonoursIfMatch,
  Idempotent,
  IfMatch,
  InTenant,
  InTransaction,
  NoContent,
  OfTenant,
  PathId,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { ListMembersQuery } from './dto/list-members.query.js';
import { MemberPermissionsView } from './dto/member-permissions.view.js';
import { MemberView } from './dto/member.view.js';
import { UpdateMemberDto } from './dto/update-member.dto.js';
import { MembersService } from './members.service.js';

const A_MEMBER = 'A member of the tenant, by the id of the user.';

@ApiTags('Members')
@Controller('tenants/:tenant_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /** Lists the members of the tenant; a caller that is scoped to a division sees those who are confined to it. */
  @Get()
  @RequirePermission('member:read')
  @InTenant()
  @ReturnsPageOf(MemberView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: ListMembersQuery): Promise<Page<MemberView>> {
    return this.members.list(actor, query);
  }

  /** Reads what the caller may: of a member all roles together, of a key what its owner holds, too. */
  @Get('permissions')
  @AnyCaller()
  @InTenant()
  @Returns(MemberPermissionsView)
  permissions(@Actor() actor: ActingCaller): Promise<MemberPermissionsView> {
    return this.members.permissions(actor);
  }

  /** Reads one member. */
  @Get(':member_id')
  @RequirePermission('member:read')
  @OfTenant('member', A_MEMBER)
  @Returns(MemberView)
  get(@Actor() actor: ActingCaller, @PathId('member_id') id: number): Promise<MemberView> {
    return this.members.get(actor, id);
  }

  /**
   * Changes whether a member is active, and which roles they have. Never the own ones, never the owner's. Nobody gives what
   * they do not hold, and nobody the role `owner`. Pending invitations that the member could no longer send are cancelled.
   * The keys of a member who is not active rest, and work again afterwards.
   */
  @Put(':member_id')
  @RequirePermission('member:manage')
  @Idempotent()
  @AuditedWhenChanged('member_updated', 'invitation_cancelled')
  @OfTenant('member', A_MEMBER)
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('role_not_found', 'owner_required', 'state_conflict')
  update(
    @Actor() actor: ActingCaller,
    @PathId('member_id') id: number,
    @Body() dto: UpdateMemberDto,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    return this.members.update(actor, id, dto, ifMatch);
  }

  /** Removes a member, never oneself and never the owner. The keys of the member are deleted, and the pending invitations cancelled. */
  @Delete(':member_id')
  @RequirePermission('member:manage')
  @InTransaction()
  @Audited('member_removed', 'invitation_cancelled')
  @OfTenant('member', A_MEMBER)
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('owner_required', 'state_conflict')
  remove(@Actor() actor: ActingCaller, @PathId('member_id') id: number, @IfMatch() ifMatch?: string): Promise<void> {
    return this.members.remove(actor, id, ifMatch);
  }
}
