import { ApiId } from '@libs/http';

/** An accepted operation. */
export class AcceptedOperationView {
  @ApiId('The deployment.')
  deployment_id: number;

  @ApiId('The operation that does the work.')
  operation_id: number;
}
