import { RUNTIME_STATUSES } from '@libs/domain';
import { ApiNullableText, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** The heartbeats of a node within one minute. */
@Resource<HeartbeatView>({ columns: ['node_id', 'at', 'status', 'count', 'agent_version'] })
export class HeartbeatView {
  @ApiId('The node.')
  node_id: number;

  @ApiTime('The last heartbeat of the minute.')
  at: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Heartbeats of the minute.' })
  count: number;

  @ApiProperty({ enum: [...RUNTIME_STATUSES], description: 'Status of the broker in the last report of the node.' })
  status: string;

  /** Release of the agent. Null when the agent did not report a release. */
  @ApiNullableText()
  agent_version: string | null;
}
