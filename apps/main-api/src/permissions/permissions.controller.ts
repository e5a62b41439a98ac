import { Get, Query } from '@nestjs/common';
import { Actor, ANY_CALLER, FailsWith, Reads, Routes, type ActingCaller } from '@libs/http';
import { CheckPermissionQuery } from './dto/check-permission.query.js';
import { PermissionCheckView } from './dto/permission-check.view.js';
import { PermissionsService } from './permissions.service.js';

@Routes('tenants/:tenant_id/permissions', 'Roles')
export class PermissionsController {
  constructor(private readonly permissions: PermissionsService) {}

  /**
   * Checks whether the caller has a permission in a scope. The response names the role that grants the permission, or
   * the missing permission.
   */
  @Get('check')
  @Reads(ANY_CALLER, PermissionCheckView)
  @FailsWith('division_not_found', 'environment_not_found')
  check(@Actor() actor: ActingCaller, @Query() query: CheckPermissionQuery): Promise<PermissionCheckView> {
    return this.permissions.check(actor, query);
  }
}
