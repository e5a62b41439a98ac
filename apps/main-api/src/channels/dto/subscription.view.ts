import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** Something that a subscription is limited to. */
export class ScopedThingView {
  @ApiId('Id of the resource.')
  id: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Name of the resource. Null when the resource no longer exists.',
  })
  name: string | null;
}

/** What a channel is told of, in lists (C-24.7). A level without entries is left out, and means all. */
export class SubscriptionItemView {
  @ApiId('The subscription.')
  id: number;

  @ApiId('Channel of the subscription.')
  channel_id: number;

  /** Types of events. */
  message_types: string[];

  @ApiProperty({ type: [ScopedThingView], required: false })
  scope_tenants?: ScopedThingView[];

  @ApiProperty({ type: [ScopedThingView], required: false })
  scope_divisions?: ScopedThingView[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}

/** The subscription by itself, with its whole scope. */
export class SubscriptionView extends SubscriptionItemView {
  @ApiProperty({ type: [ScopedThingView], required: false })
  scope_environments?: ScopedThingView[];

  @ApiProperty({ type: [ScopedThingView], required: false })
  scope_deployments?: ScopedThingView[];
}
