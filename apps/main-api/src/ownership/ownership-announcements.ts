import { Inject, Injectable } from '@nestjs/common';
import type { AuditType, OwnershipTransferId, TenantId, UserId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import type { Member, OwnershipTransfer } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { renderMail, Mailbox } from '../mail/index.js';
import { pageUrl } from '../platform/index.js';

interface Named {
  id: UserId;
  name: string;
}

/** Announces transfers of ownership: to the other user by mail, and to the audit of the tenant. */
@Injectable()
export class OwnershipAnnouncements {
  constructor(
    private readonly mailbox: Mailbox,
    private readonly ledger: Ledger,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  async offered(actor: ActingCaller, member: Member, id: OwnershipTransferId, expiresAt: Date): Promise<void> {
    const content = renderMail({
      paragraphs: [
        'The owner of an organization of which you are a member offers it to you. The page shows which one it is.',
        `If you accept, you own the organization, with all deployments and invoices. The offer ends at ${minuteOf(expiresAt)}.`,
      ],
      link: { words: 'Accept or decline', url: pageUrl(this.config, `/account/ownership-transfers/${id}`) },
      closing: ['If you do not answer, nothing changes.'],
    });
    await this.mailbox.post({ to: member.email, subject: 'You are offered an organization', ...content });
    await this.record(actor, 'ownership_transfer_requested', actor.tenant.id, member, { ownership_transfer_id: id });
  }

  async accepted(actor: ActingCaller, { id, tenant, from }: OwnershipTransfer): Promise<void> {
    const { user } = actor.caller;
    const content = renderMail({
      paragraphs: [
        `${user.name} is now the owner of the organization "${tenant.name}". You are an admin of the organization.`,
      ],
    });
    await this.mailbox.post({ to: from.email, subject: `${user.name} is now the owner of ${tenant.name}`, ...content });
    const data = { ownership_transfer_id: id, owner: user, previous_owner: { id: from.id, name: from.name } };
    await this.record(actor, 'ownership_transferred', tenant.id, user, data);
  }

  async rejected(actor: ActingCaller, { id, tenant, from }: OwnershipTransfer): Promise<void> {
    const { user } = actor.caller;
    const content = renderMail({
      paragraphs: [`${user.name} declined to own the organization "${tenant.name}". You stay the owner.`],
    });
    await this.mailbox.post({ to: from.email, subject: `${user.name} declined ${tenant.name}`, ...content });
    await this.record(actor, 'ownership_transfer_rejected', tenant.id, user, { ownership_transfer_id: id });
  }

  private async record(
    { author, traceId }: ActingCaller,
    audit: AuditType,
    tenantId: TenantId,
    { id, name }: Named,
    data: object,
  ): Promise<void> {
    const context = { tenantId, division: null, environment: null, deployment: null };
    await this.ledger.record({ audit, author, context, user: { id, name }, data, traceId });
  }
}

const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
