import { IsOneOf, Optional, TimedListQuery } from '@libs/http';
import { JOIN_REQUEST_STATUSES, type JoinRequestStatus } from '@libs/persistence/organization';

/** Filters of requests to join. */
export class ListJoinRequestsQuery extends TimedListQuery {
  @Optional()
  @IsOneOf(JOIN_REQUEST_STATUSES, 'Only those with this status.')
  status?: JoinRequestStatus;
}
