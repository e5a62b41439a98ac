import { ACTIVITY_VERBS, NODE_RUNTIMES } from '@libs/domain';
import { ApiNullableInteger, ApiNullableText, ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

export const ACTIVITY_STATUSES = ['processing', 'completed', 'rejected'] as const;

/** An activity: one action on the runtime of one node (C-17.4). */
@Resource<ActivityView>({
  columns: ['id', 'action', 'runtime', 'node_id', 'status', 'error', 'author_id', 'created_at', 'finished_at'],
})
export class ActivityView {
  @ApiId('The activity.')
  id: number;

  @ApiId('The tenant.')
  tenant_id: number;

  @ApiId('The division.')
  division_id: number;

  @ApiId('The environment.')
  environment_id: number;

  @ApiId('The deployment.')
  deployment_id: number;

  @ApiNullableInteger('The user who requested the action.')
  author_id: number | null;

  /** The runtime that the action is for. */
  @ApiProperty({ enum: [...NODE_RUNTIMES] })
  runtime: string;

  @ApiProperty({
    type: 'string',
    description: `${ACTIVITY_VERBS.join(', ')}; the last with the id of its configuration.`,
  })
  action: string;

  @ApiId('The node.')
  node_id: number;

  /** `processing`: not finished. `completed`: done. `rejected`: failed, as `error` explains. */
  @ApiProperty({ enum: [...ACTIVITY_STATUSES] })
  status: string;

  @ApiNullableText('Why the action was rejected.')
  error: string | null;

  @ApiTime()
  created_at: string;

  /** Time at which the activity ended. Null until then. */
  @ApiNullableTime()
  finished_at: string | null;
}
