import { Inject, Injectable } from '@nestjs/common';
import type { AuditType, EventType } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger, type LedgerContext } from '@libs/ledger';
import type { Invitation } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { Mailbox } from '../mail/index.js';
import { pageUrl } from '../platform/index.js';
import { invitationMail } from './invitation-mail.js';

/** Announces an invitation: to the invited user, the audit, and the notification channels. */
@Injectable()
export class InvitationAnnouncements {
  constructor(
    private readonly mailbox: Mailbox,
    private readonly ledger: Ledger,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  async created(actor: ActingCaller, invitation: Invitation): Promise<void> {
    const url = pageUrl(this.config, `/account/invitations/${invitation.id}`);
    await this.mailbox.post(invitationMail(invitation, url));
    await this.record(actor, invitation, 'member_invited', 'invitation_created', `${invitation.email} was invited`);
  }

  async accepted(actor: ActingCaller, invitation: Invitation): Promise<void> {
    const subject = `${invitation.email} accepted the invitation`;
    await this.record(actor, invitation, 'invitation_accepted', 'invitation_accepted', subject);
  }

  async rejected(actor: ActingCaller, invitation: Invitation): Promise<void> {
    const subject = `${invitation.email} declined the invitation`;
    await this.record(actor, invitation, 'invitation_rejected', 'invitation_rejected', subject);
  }

  /** No channel is notified: the tenant itself has withdrawn the invitation. */
  async deleted(actor: ActingCaller, invitation: Invitation): Promise<void> {
    await this.ledger.record({
      audit: invitation.status === 'pending' ? 'invitation_cancelled' : 'invitation_deleted',
      author: actor.author,
      context: contextOf(invitation),
      data: { ...summaryOf(invitation), status: invitation.status },
      traceId: actor.traceId,
    });
  }

  private async record(
    actor: ActingCaller,
    invitation: Invitation,
    audit: AuditType,
    type: EventType,
    subject: string,
  ): Promise<void> {
    const data = summaryOf(invitation);
    const event = {
      type,
      key: `${type}:${invitation.id}`,
      subject,
      data: { invitation_id: invitation.id, ...data },
    };
    const isOwn = audit !== 'member_invited';
    await this.ledger.record({
      audit,
      event,
      author: actor.author,
      context: contextOf(invitation),
      ...(isOwn && { user: actor.caller.user }),
      data,
      traceId: actor.traceId,
    });
  }
}

/** Returns the context of an invitation. */
export const contextOf = ({ tenant_id, division_id, division_name }: Invitation): LedgerContext => ({
  tenantId: tenant_id,
  division: division_id === null ? null : { id: division_id, name: division_name ?? '' },
  environment: null,
  deployment: null,
});

/** Returns the data of an invitation for the audit record (C-26.7). */
const summaryOf = ({ email, roles }: Invitation): { email: string; roles: string[] } => ({
  email,
  roles: roles.map(({ name }) => name),
});
