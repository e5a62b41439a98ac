import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  Actor,
  Creates,
  FailsWith,
  IfMatch,
  Lists,
  NamedListQuery,
  PathId,
  Reads,
  Routes,
  WithinPlan,
  Writes,
  WritesWhenChanged,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written, type RoleId } from '@libs/domain';
import { MemberView } from '../members/index.js';
import { ListRolesQuery } from './dto/list-roles.query.js';
import { RoleMembersDto } from './dto/role-members.dto.js';
import { CreateRoleDto, UpdateRoleDto } from './dto/role.dto.js';
import { RoleView } from './dto/role.view.js';
import { RoleMembersService } from './role-members.service.js';
import { RolesService } from './roles.service.js';

@Routes('tenants/:tenant_id/roles', 'Roles', { role_id: 'A role of the tenant.' })
export class RolesController {
  constructor(
    private readonly roles: RolesService,
    private readonly members: RoleMembersService,
  ) {}

  /** Creates a role. A caller cannot grant permissions that the caller does not hold. */
  @Post()
  @Writes('role:manage', 'role_created')
  @Creates(RoleView, 'role')
  @WithinPlan('roles_limit', 'divisions_per_role_limit')
  @FailsWith('name_taken', 'division_not_found', 'environment_not_found')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateRoleDto): Promise<Written<RoleView>> {
    return this.roles.create(actor, dto);
  }

  /** Lists the roles of the tenant. */
  @Get()
  @Lists('role:read', RoleView)
  list(@Actor() actor: ActingCaller, @Query() query: ListRolesQuery): Promise<Page<RoleView>> {
    return this.roles.list(actor, query);
  }

  /** Reads one role. */
  @Get(':role_id')
  @Reads('role:read', RoleView)
  get(@Actor() actor: ActingCaller, @PathId() id: RoleId): Promise<RoleView> {
    return this.roles.get(actor, id);
  }

  /** Changes a role. The change applies at once to every member and key with the role. */
  @Put(':role_id')
  @WritesWhenChanged('role:manage', 'role_updated', 'invitation_cancelled')
  @WithinPlan('divisions_per_role_limit')
  @FailsWith('system_role_immutable', 'name_taken', 'division_not_found', 'environment_not_found')
  update(
    @Actor() actor: ActingCaller,
    @PathId() id: RoleId,
    @Body() dto: UpdateRoleDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.roles.update(actor, id, dto, precondition);
  }

  /** Deletes a custom role that no member and no key has. */
  @Delete(':role_id')
  @Writes('role:manage', 'role_deleted')
  @FailsWith('system_role_immutable', 'not_empty')
  delete(@Actor() actor: ActingCaller, @PathId() id: RoleId, @IfMatch() precondition: Precondition): Promise<void> {
    return this.roles.delete(actor, id, precondition);
  }

  /** Lists the members with the role. */
  @Get(':role_id/members')
  @Lists('role:read', MemberView)
  listMembers(
    @Actor() actor: ActingCaller,
    @PathId() id: RoleId,
    @Query() query: NamedListQuery,
  ): Promise<Page<MemberView>> {
    return this.members.list(actor, id, query);
  }

  /**
   * Assigns the role to other members. A caller cannot grant permissions that the caller does not hold. The role
   * `owner` moves by a transfer of ownership only.
   */
  @Put(':role_id/members/assign')
  @WritesWhenChanged('role:manage', 'role_assigned')
  @FailsWith('member_not_found', 'owner_required', 'state_conflict')
  assign(@Actor() actor: ActingCaller, @PathId() id: RoleId, @Body() dto: RoleMembersDto): Promise<void> {
    return this.members.assign(actor, id, dto);
  }

  /**
   * Revokes the role from other members, except the owner. Pending invitations that these members may no longer send
   * are cancelled.
   */
  @Put(':role_id/members/revoke')
  @WritesWhenChanged('role:manage', 'role_revoked', 'invitation_cancelled')
  @FailsWith('member_not_found', 'owner_required', 'state_conflict')
  revoke(@Actor() actor: ActingCaller, @PathId() id: RoleId, @Body() dto: RoleMembersDto): Promise<void> {
    return this.members.revoke(actor, id, dto);
  }
}
