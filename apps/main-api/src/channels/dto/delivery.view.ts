import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'suppressed'] as const;

const nullableId = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description });

/** One attempt to deliver. */
export class DeliveryAttemptView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at: string;

  @ApiProperty({ type: 'integer', description: 'Milliseconds that it took.' })
  ms: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status of the answer; null without one.' })
  status: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it failed; null when the destination took it.' })
  error: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The beginning of the answer, at most 1 KiB.' })
  response: string | null;
}

/** What became of one event by this channel, in lists. */
export class DeliveryItemView {
  @ApiId('The delivery.')
  id: number;

  /** Of the event: the same at every attempt, in the header `webhook-id` and in the body. */
  message_id: string;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Place in the order of the channel, from 1.' })
  sequence: number;

  message_type: string;

  subject: string;

  @ApiProperty({
    enum: [...DELIVERY_STATUSES],
    description:
      '`failed`: given up after a day. `suppressed`: not sent, and not tried again unless somebody asks for it.',
  })
  status: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: '`unconfirmed`: nobody has confirmed the address of the channel. Null unless suppressed.',
  })
  status_reason: string | null;

  @ApiProperty({ type: 'integer', description: 'Attempts that were made.' })
  attempts: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Null unless pending.' })
  next_attempt_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  delivered_at: string | null;

  @ApiProperty({ type: DeliveryAttemptView, nullable: true, description: 'Null before the first.' })
  last_attempt: DeliveryAttemptView | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}

/** The delivery by itself, with its attempts. */
export class DeliveryView extends DeliveryItemView {
  /** Some lines of text. */
  content: string;

  @ApiProperty({ type: [DeliveryAttemptView], description: 'The last 20, oldest first.' })
  log: DeliveryAttemptView[];
}

/** A notification that was delivered (C-24.14). */
export class NotificationView {
  @ApiId('The notification; the id of its delivery.')
  id: number;

  @ApiId('The tenant.')
  tenant_id: number;

  @nullableId('Null when it is of the tenant as a whole.')
  division_id: number | null;

  @nullableId('Null when it is of no environment.')
  environment_id: number | null;

  @nullableId('Null when it is of no deployment.')
  deployment_id: number | null;

  message_type: string;

  /** What was told: subject and some lines of text. */
  content: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
