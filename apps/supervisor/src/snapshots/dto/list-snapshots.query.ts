import { IsQueryId, Optional, PageQuery } from '@libs/http';

/** Filters of diagnostic snapshots. */
export class ListSnapshotsQuery extends PageQuery {
  @Optional()
  @IsQueryId('Only those that cover this node.')
  node?: number;
}
