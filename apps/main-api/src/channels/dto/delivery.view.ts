import { ApiNullableText, ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'suppressed'] as const;

const nullableId = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description });

/** One attempt to deliver a notification. */
export class DeliveryAttemptView {
  /** Time of the attempt. */
  @ApiTime()
  at: string;

  @ApiProperty({ type: 'integer', description: 'Duration of the attempt, in milliseconds.' })
  ms: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status of the answer; null without one.' })
  status: number | null;

  @ApiNullableText('Why the attempt failed. Null when the destination accepted the delivery.')
  error: string | null;

  @ApiNullableText('The beginning of the answer, at most 1 KiB.')
  response: string | null;
}

/** The delivery of one event in a list. */
@Resource<DeliveryItemView>({
  id: 'delivery_id',
  columns: [
    'id',
    'message_type',
    'subject',
    'status',
    'attempts',
    'created_at',
    'delivered_at',
    'next_attempt_at',
    'status_reason',
  ],
})
export class DeliveryItemView {
  @ApiId('The delivery.')
  id: number;

  /** Id of the event, the same in every attempt. Sent in the header `webhook-id` and in the body. */
  message_id: string;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Place in the order of the channel, from 1.' })
  sequence: number;

  /** Type of the event. */
  message_type: string;

  /** Subject of the notification. */
  subject: string;

  @ApiProperty({
    enum: [...DELIVERY_STATUSES],
    description:
      '`failed`: every attempt of 24 hours failed. `suppressed`: the notification is not sent, and not retried unless a user redelivers it.',
  })
  status: string;

  @ApiNullableText(
    '`unconfirmed`: the address of the channel is not confirmed. Null for every other status than `suppressed`.',
  )
  status_reason: string | null;

  @ApiProperty({ type: 'integer', description: 'Attempts that were made.' })
  attempts: number;

  @ApiNullableTime('Time of the next attempt. Null unless the delivery is pending.')
  next_attempt_at: string | null;

  /** Time at which the destination accepted the delivery. Null until then. */
  @ApiNullableTime()
  delivered_at: string | null;

  @ApiProperty({
    type: DeliveryAttemptView,
    nullable: true,
    description: 'The last attempt. Null before the first attempt.',
  })
  last_attempt: DeliveryAttemptView | null;

  @ApiTime()
  created_at: string;
}

/** A delivery with its attempts. */
export class DeliveryView extends DeliveryItemView {
  /** Some lines of text. */
  content: string;

  @ApiProperty({ type: [DeliveryAttemptView], description: 'The last 20, oldest first.' })
  log: DeliveryAttemptView[];
}

/** A notification that was delivered (C-24.14). */
@Resource<NotificationView>({ columns: ['id', 'message_type', 'deployment_id', 'created_at'] })
export class NotificationView {
  @ApiId('Id of the notification, which is also the id of its delivery.')
  id: number;

  @ApiId('The tenant.')
  tenant_id: number;

  @nullableId('Division of the event. Null for an event of the whole tenant.')
  division_id: number | null;

  @nullableId('Environment of the event. Null for none.')
  environment_id: number | null;

  @nullableId('Deployment of the event. Null for none.')
  deployment_id: number | null;

  /** Type of the event. */
  message_type: string;

  /** The content of the notification: a subject and some lines of text. */
  content: string;

  @ApiTime()
  created_at: string;
}
