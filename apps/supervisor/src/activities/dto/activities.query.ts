import { NODE_RUNTIMES, type NodeRuntime } from '@libs/domain';
import { IsOneOf, IsQueryId, Optional, TimedListQuery } from '@libs/http';
import { ACTIVITY_STATUSES } from './activity.view.js';

/** Filters of activities. */
export class ActivitiesQuery extends TimedListQuery {
  @Optional()
  @IsOneOf(NODE_RUNTIMES, 'Only of this runtime.')
  runtime?: NodeRuntime;

  @Optional()
  @IsOneOf(ACTIVITY_STATUSES, 'Only with this status.')
  status?: (typeof ACTIVITY_STATUSES)[number];

  @Optional()
  @IsQueryId('Only of this node.')
  node?: number;
}
