import { ApiProperty } from '@nestjs/swagger';
import { CONSUMER_STATUSES, type ConsumerStatus } from '@libs/cloud';
import { ApiNullableText, ApiTime, ApiId, Resource } from '@libs/http';
import { CONNECTION_PREFERENCES, type ConnectionPreference } from './service-attachment.dto.js';

export const ATTACHMENT_STATES = ['pending', 'active', 'closed'] as const;
export type AttachmentState = (typeof ATTACHMENT_STATES)[number];

/** A service attachment on Google Cloud (C-22.8). */
@Resource<ServiceAttachmentView>({
  id: 'attachment_id',
  namedBy: 'name',
  columns: ['id', 'name', 'state', 'connection_preference', 'service_attachment_uri', 'created_at', 'state_reason'],
})
export class ServiceAttachmentView {
  @ApiId('The service attachment.')
  id: number;

  /** Name. */
  name: string;

  @ApiNullableText('The address that consumers use. Null until Google Cloud returns an address.')
  service_attachment_uri: string | null;

  @ApiProperty({ enum: [...CONNECTION_PREFERENCES], description: 'Whether you accept each connection.' })
  connection_preference: ConnectionPreference;

  @ApiProperty({ type: [String], description: 'Projects that may connect; none: any project.' })
  consumer_accept_lists: string[];

  /** True when each connection starts with the address of the client (PROXY protocol). */
  enable_proxy_protocol: boolean;

  @ApiProperty({ enum: [...ATTACHMENT_STATES], description: 'State that Google Cloud returns.' })
  state: AttachmentState;

  @ApiNullableText('Reason of the state, when Google Cloud returns one.')
  state_reason: string | null;

  /** Notes. Null for none. */
  remarks: string | null;

  @ApiTime()
  created_at: string;
}

/** A consumer that connects to an attachment. */
@Resource<AttachmentConnectionView>({ columns: ['id', 'connection_id', 'consumer_project_id', 'status', 'created_at'] })
export class AttachmentConnectionView {
  @ApiId('The connection.')
  id: number;

  /** Id of the connection at Google Cloud. */
  connection_id: string;

  /** Project of the consumer. */
  consumer_project_id: string;

  @ApiNullableText('Network of the consumer, when Google Cloud returns one.')
  consumer_network: string | null;

  @ApiNullableText('Forwarding rule of the consumer, when Google Cloud returns one.')
  consumer_forwarding_rule: string | null;

  @ApiProperty({ enum: [...CONSUMER_STATUSES], description: 'Status that Google Cloud returns.' })
  status: ConsumerStatus;

  @ApiTime('Time at which the connection was first seen.')
  created_at: string;
}
