import { Body, Post } from '@nestjs/common';
import { everybody, FailsWith, Routes, Writes } from '@libs/http';
import { ChannelConfirmations } from './channel-confirmations.js';
import { MailedTokenDto } from './mailed-token.dto.js';
import { TraceId } from './trace.decorator.js';

const A_READER = 'the reader of a mail has no key; the token of the mail is what opens it';

@Routes('notifications', 'Notifications')
export class ConfirmationsController {
  constructor(private readonly confirmations: ChannelConfirmations) {}

  /** Confirms an e-mail channel by the token of the mailed link: notifications are sent to the address from then on. */
  @Post('confirm')
  @Writes(everybody(A_READER, { limited: true }), 'channel_confirmed')
  @FailsWith('email_token_invalid')
  confirm(@Body() { token }: MailedTokenDto, @TraceId() traceId: string): Promise<void> {
    return this.confirmations.confirm(token, traceId);
  }

  /** Ends the notifications of a channel to an address, by the token in each of their mails; the channel is unconfirmed again. */
  @Post('unsubscribe')
  @Writes(everybody(A_READER, { limited: true }), 'channel_left')
  @FailsWith('email_token_invalid')
  unsubscribe(@Body() { token }: MailedTokenDto, @TraceId() traceId: string): Promise<void> {
    return this.confirmations.leave(token, traceId);
  }
}
