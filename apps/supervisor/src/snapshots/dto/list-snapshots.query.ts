import { IsQueryId, Optional, TimedListQuery } from '@libs/http';

/** Filters of diagnostic snapshots. */
export class ListSnapshotsQuery extends TimedListQuery {
  @Optional()
  @IsQueryId('Only those that cover this node.')
  node?: number;
}
