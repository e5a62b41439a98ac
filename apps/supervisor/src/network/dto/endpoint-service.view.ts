import { ApiProperty } from '@nestjs/swagger';
import { ApiNullableText, ApiTime, ApiId, Resource } from '@libs/http';

export const ENDPOINT_SERVICE_STATES = ['pending', 'available', 'deleting', 'deleted', 'failed'] as const;
export type EndpointServiceState = (typeof ENDPOINT_SERVICE_STATES)[number];

/** An endpoint service on AWS (C-22.7). */
@Resource<EndpointServiceView>({
  id: 'service_id',
  namedBy: 'name',
  columns: ['id', 'name', 'state', 'service_name', 'allowed_principals', 'created_at', 'state_reason'],
})
export class EndpointServiceView {
  @ApiId('The endpoint service.')
  id: number;

  /** Name. */
  name: string;

  @ApiNullableText('Id of the endpoint service at AWS. Null until AWS returns an id.')
  vpc_endpoint_service_id: string | null;

  @ApiNullableText('The service name that endpoints use. Null until AWS returns a name.')
  service_name: string | null;

  /** True when you accept each endpoint before it connects. */
  acceptance_required: boolean;

  @ApiProperty({ type: [String], description: 'Principals who may request an endpoint. Empty: every account.' })
  allowed_principals: string[];

  @ApiProperty({ enum: [...ENDPOINT_SERVICE_STATES], description: 'State that AWS returns.' })
  state: EndpointServiceState;

  @ApiNullableText('Reason of the state, when AWS returns one.')
  state_reason: string | null;

  /** Notes. Null for none. */
  remarks: string | null;

  @ApiTime()
  created_at: string;
}
