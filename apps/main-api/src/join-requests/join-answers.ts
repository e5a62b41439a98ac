import { Inject, Injectable } from '@nestjs/common';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import type { JoinRequest } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { Mailbox } from '../mail/index.js';
import { pageUrl, tenantWide } from '../platform/index.js';
import { approvalMail, rejectionMail } from './answer-mail.js';

/** Announces the answer to a request: to the user, and to the audit. */
@Injectable()
export class JoinAnswers {
  constructor(
    private readonly mailbox: Mailbox,
    private readonly ledger: Ledger,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  async approved(actor: ActingCaller, request: JoinRequest, roles: readonly string[]): Promise<void> {
    await this.mailbox.post(approvalMail(request, pageUrl(this.config, '/')));
    await this.record(actor, 'join_approved', request, { email: request.email, roles });
  }

  async rejected(actor: ActingCaller, request: JoinRequest): Promise<void> {
    await this.mailbox.post(rejectionMail(request));
    await this.record(actor, 'join_rejected', request, { email: request.email });
  }

  private async record(
    actor: ActingCaller,
    audit: 'join_approved' | 'join_rejected',
    { user_id: id, name }: JoinRequest,
    data: object,
  ): Promise<void> {
    const context = tenantWide(actor);
    const common = { author: actor.author, context, traceId: actor.traceId };
    await this.ledger.record({ audit, ...common, user: { id, name }, data });
  }
}
