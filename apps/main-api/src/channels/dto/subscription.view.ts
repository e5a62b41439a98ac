import { ApiNullableText, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A resource in the scope of a subscription. */
export class ScopedThingView {
  @ApiId('Id of the resource.')
  id: number;

  @ApiNullableText('Name of the resource. Null when the resource no longer exists.')
  name: string | null;
}

/** A subscription in a list (C-24.7). A level without entries is left out and means all. */
@Resource<SubscriptionItemView>({
  id: 'subscription_id',
  columns: ['id', 'message_types', 'scope_divisions', 'created_at'],
})
export class SubscriptionItemView {
  @ApiId('The subscription.')
  id: number;

  @ApiId('Channel of the subscription.')
  channel_id: number;

  /** Types of events. */
  message_types: string[];

  /** The tenant itself, if the scope names it. Absent: all. */
  @ApiProperty({ type: [ScopedThingView], required: false })
  scope_tenants?: ScopedThingView[];

  /** Divisions of the scope. Absent: all. */
  @ApiProperty({ type: [ScopedThingView], required: false })
  scope_divisions?: ScopedThingView[];

  @ApiTime()
  created_at: string;

  @ApiTime()
  updated_at: string;
}

/** A subscription with its whole scope. */
export class SubscriptionView extends SubscriptionItemView {
  /** Environments of the scope. Absent: all. */
  @ApiProperty({ type: [ScopedThingView], required: false })
  scope_environments?: ScopedThingView[];

  /** Deployments of the scope. Absent: all. */
  @ApiProperty({ type: [ScopedThingView], required: false })
  scope_deployments?: ScopedThingView[];
}
