import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { Enrolment } from './enrolment.js';
import { InvitationWithdrawal } from './invitation-withdrawal.js';
import { MemberRecords } from './member-records.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { MembershipController } from './membership.controller.js';
import { RoleGrants } from './role-grants.js';

@Module({
  imports: [TenantsModule],
  controllers: [MembersController, MembershipController],
  providers: [MembersService, MemberRecords, RoleGrants, Enrolment, InvitationWithdrawal],
  exports: [RoleGrants, Enrolment, InvitationWithdrawal],
})
export class MembersModule {}
