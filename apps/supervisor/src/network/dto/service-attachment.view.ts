import { ApiProperty } from '@nestjs/swagger';
import { CONSUMER_STATUSES, type ConsumerStatus } from '@libs/cloud';
import { ApiId } from '@libs/http';
import { CONNECTION_PREFERENCES, type ConnectionPreference } from './service-attachment.dto.js';

export const ATTACHMENT_STATES = ['pending', 'active', 'closed'] as const;
export type AttachmentState = (typeof ATTACHMENT_STATES)[number];

/** A service attachment on Google Cloud (C-22.8). */
export class ServiceAttachmentView {
  @ApiId('The service attachment.')
  id: number;

  /** As it was named. */
  name: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'What consumers name; null until Google Cloud has told it.',
  })
  service_attachment_uri: string | null;

  @ApiProperty({ enum: [...CONNECTION_PREFERENCES], description: 'Whether connections wait to be accepted.' })
  connection_preference: ConnectionPreference;

  @ApiProperty({ type: [String], description: 'Projects that may connect; none: any project.' })
  consumer_accept_lists: string[];

  /** Whether connections begin with the address of the client. */
  enable_proxy_protocol: boolean;

  @ApiProperty({ enum: [...ATTACHMENT_STATES], description: 'As far as Google Cloud tells it.' })
  state: AttachmentState;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why, where Google Cloud says so.' })
  state_reason: string | null;

  /** What was noted; empty for nothing. */
  remarks: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}

/** Somebody who connects to an attachment. */
export class AttachmentConnectionView {
  @ApiId('The connection.')
  id: number;

  /** Its id at Google Cloud. */
  connection_id: string;

  /** Project of the consumer. */
  consumer_project_id: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Network of the consumer, where it is told.' })
  consumer_network: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Forwarding rule of the consumer, where it is told.' })
  consumer_forwarding_rule: string | null;

  @ApiProperty({ enum: [...CONSUMER_STATUSES], description: 'As Google Cloud tells it.' })
  status: ConsumerStatus;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it was first seen.' })
  created_at: string;
}
