import { Module } from '@nestjs/common';
import { MembersModule } from '../members/index.js';
import { TenantsModule } from '../tenants/index.js';
import { InvitationAnnouncements } from './invitation-announcements.js';
import { InvitationRules } from './invitation-rules.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';
import { ReceivedInvitationsController } from './received-invitations.controller.js';
import { ReceivedInvitationsService } from './received-invitations.service.js';

@Module({
  imports: [TenantsModule, MembersModule],
  controllers: [InvitationsController, ReceivedInvitationsController],
  providers: [InvitationsService, ReceivedInvitationsService, InvitationRules, InvitationAnnouncements],
})
export class InvitationsModule {}
