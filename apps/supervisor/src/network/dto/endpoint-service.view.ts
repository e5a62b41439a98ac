import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '@libs/http';

export const ENDPOINT_SERVICE_STATES = ['pending', 'available', 'deleting', 'deleted', 'failed'] as const;
export type EndpointServiceState = (typeof ENDPOINT_SERVICE_STATES)[number];

/** An endpoint service on AWS (C-22.7). */
export class EndpointServiceView {
  @ApiId('The endpoint service.')
  id: number;

  /** As it was named. */
  name: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Its id at AWS; null until AWS has told it.' })
  vpc_endpoint_service_id: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'What endpoints name; null until AWS has told it.' })
  service_name: string | null;

  /** Whether each endpoint waits to be accepted. */
  acceptance_required: boolean;

  @ApiProperty({ type: [String], description: 'Who may ask for an endpoint; none: any account.' })
  allowed_principals: string[];

  @ApiProperty({ enum: [...ENDPOINT_SERVICE_STATES], description: 'As AWS tells it.' })
  state: EndpointServiceState;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why, where AWS says so.' })
  state_reason: string | null;

  /** What was noted; empty for nothing. */
  remarks: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
