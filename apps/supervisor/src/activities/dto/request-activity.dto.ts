import { Example, IsIdList, Optional } from '@libs/http';

/** The nodes of the request. Default: all nodes. */
@Example<RequestActivityDto>({})
export class RequestActivityDto {
  @Optional()
  @IsIdList(1, 100, 'Nodes of the deployment.')
  nodes?: number[];
}
