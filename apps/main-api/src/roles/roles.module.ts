import { Module } from '@nestjs/common';
import { MembersModule } from '../members/index.js';
import { TenantsModule } from '../tenants/index.js';
import { RoleMembersService } from './role-members.service.js';
import { RolePermissions } from './role-permissions.js';
import { RolesController } from './roles.controller.js';
import { RolesService } from './roles.service.js';

@Module({
  imports: [TenantsModule, MembersModule],
  controllers: [RolesController],
  providers: [RolesService, RoleMembersService, RolePermissions],
  exports: [RolePermissions],
})
export class RolesModule {}
