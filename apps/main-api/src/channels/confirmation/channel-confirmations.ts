import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Secrets } from '@libs/persistence';
import { ChannelConfirmationsRepository, type Channel } from '@libs/persistence/channels';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { Mailbox, MailedCallers } from '../../mail/index.js';
import { pageUrl } from '../../platform/index.js';
import { ChannelLedger } from '../channel-ledger.js';
import { confirmationMail } from './confirmation-mail.js';
import { channelOfLeaving, isLeavingToken } from './leaving-token.js';

const TOKEN_BYTES = 32;
const VALID_SECONDS = 7 * 86_400;
const PACE = { addressPauseSeconds: 3_600, addressesPerDay: 20 };

/** Asks the readers of addresses for consent to the notifications of a channel. */
@Injectable()
export class ChannelConfirmations {
  constructor(
    private readonly confirmations: ChannelConfirmationsRepository,
    private readonly secrets: Secrets,
    private readonly mailbox: Mailbox,
    private readonly callers: MailedCallers,
    private readonly ledger: ChannelLedger,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /**
   * Mails a link to the address of the channel, unless the channel is confirmed. Returns the seconds to wait when no
   * mail may be sent now. The limits protect mailboxes from floods, and keep a tenant from mailing to many addresses.
   */
  async ask({ tenant, caller }: ActingCaller, { id, destination, isConfirmed }: Channel): Promise<number> {
    if (isConfirmed) return 0;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const confirmation = { tenantId: tenant.id, channelId: id, address: destination, tokenHash: hashOf(token) };
    const wait = await this.confirmations.issue({ ...confirmation, validSeconds: VALID_SECONDS }, PACE);
    if (wait > 0) return wait;
    const url = pageUrl(this.config, '/confirm-address', token);
    const asker = await this.callers.addressOf(caller);
    await this.mailbox.post({ to: destination, ...confirmationMail({ url, token, asker }) });
    return 0;
  }

  /** For a channel with a new address: invalidates the links to the old address, and asks the new one. */
  async requestAgain(actor: ActingCaller, channel: Channel): Promise<void> {
    await this.confirmations.voidLinksUnscoped(channel.id);
    await this.ask(actor, channel);
  }

  /** Confirms the channel of the mailed link. @throws DomainError email_token_invalid */
  async confirm(token: string, traceId: string): Promise<void> {
    const channel = await this.confirmations.confirmUnscoped(hashOf(token));
    if (!channel) throw new DomainError('email_token_invalid', 'The link is wrong, has expired or was used before.');
    await this.ledger.recordWithoutAuthor('channel_confirmed', channel, traceId);
  }

  /** Ends the consent, with the link of any notification to the address. @throws DomainError email_token_invalid */
  async leave(token: string, traceId: string): Promise<void> {
    const id = channelOfLeaving(token);
    const hash = await this.confirmations.confirmedHashUnscoped(id);
    if (!hash || !isLeavingToken(this.secrets, token, hash))
      throw new DomainError('email_token_invalid', 'The link is wrong, or this address receives no notifications.');
    const channel = await this.confirmations.leaveUnscoped(id);
    if (channel) await this.ledger.recordWithoutAuthor('channel_left', channel, traceId);
  }
}

/** Users may copy a token with a blank from its line. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token.trim()).digest();
