import { IsIdList, Optional } from '@libs/http';

/** On which nodes. Default: on all. */
export class RequestActivityDto {
  @Optional()
  @IsIdList(1, 100, 'Nodes of the deployment.')
  nodes?: number[];
}
