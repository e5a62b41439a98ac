import { ApiNullableText, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

export const CHANNEL_KINDS = ['slack', 'webhook', 'email'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** Settings of a message in Slack. */
export class SlackSettingsView {
  /** The Slack channel, such as `#operations`. Default: the channel of the hook. */
  channel?: string;

  /** The name that Slack shows as the sender. */
  username?: string;
}

/** Settings of a webhook. */
export class WebhookSettingsView {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Headers of every request; at most 20. Those of the delivery itself cannot be given. Values are shown as `********`; ' +
      'sent back, that keeps the stored value.',
  })
  headers?: Record<string, string>;
}

/** The settings of a channel: only those of its kind. E-mail has none. */
export class ChannelSettingsView {
  /** Settings of a Slack channel. Absent for other kinds. */
  @ApiProperty({ type: SlackSettingsView, required: false })
  slack?: SlackSettingsView;

  /** Settings of a webhook. Absent for other kinds. */
  @ApiProperty({ type: WebhookSettingsView, required: false })
  webhook?: WebhookSettingsView;
}

/** A destination of notifications in a list (C-24.2). */
@Resource<ChannelItemView>({
  id: 'channel_id',
  namedBy: 'name',
  columns: ['id', 'name', 'channel', 'enabled', 'owner_kind', 'created_at', 'updated_at'],
})
export class ChannelItemView {
  @ApiId('The channel.')
  id: number;

  @ApiProperty({
    enum: ['tenant', 'division'],
    description: 'The kind of the owner. A channel of a division receives events of that division only.',
  })
  owner_kind: string;

  @ApiId('The tenant, or the division.')
  owner_id: number;

  /** The kind of the destination. */
  @ApiProperty({ enum: [...CHANNEL_KINDS] })
  channel: string;

  name: string;

  /** False: nothing is delivered. */
  enabled: boolean;

  @ApiTime()
  created_at: string;

  @ApiTime()
  updated_at: string;
}

/** A channel with destination, settings and remarks. */
export class ChannelView extends ChannelItemView {
  /**
   * URL or e-mail address. Callers without `notifications:manage` see only the origin (scheme, host and port, or the
   * domain of an e-mail address) and `********`.
   */
  destination: string;

  /**
   * False: nothing is mailed, because neither the reader of the address nor an active member of the tenant with this verified
   * address agreed; deliveries end as `suppressed`. Always true for Slack and webhooks.
   */
  confirmed: boolean;

  @ApiProperty({ type: ChannelSettingsView, nullable: true, description: 'Settings by kind. Null for none.' })
  settings: ChannelSettingsView | null;

  @ApiNullableText('Notes. Null for none.')
  remarks: string | null;
}

/** A channel with its signing secret, which is shown only once. */
export class ChannelWithSecretView extends ChannelView {
  @ApiProperty({
    type: 'string',
    required: false,
    description:
      'For webhooks: the signing secret of the Standard Webhooks scheme, `whsec_` and base64. The secret is shown only once.',
  })
  secret?: string;
}
