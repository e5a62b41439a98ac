import { ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { JOIN_REQUEST_STATUSES } from '@libs/persistence/organization';
import { ApiProperty } from '@nestjs/swagger';

/** A request of a user in the tenant's e-mail domain to become a member. */
@Resource<JoinRequestView>({
  id: 'join_request_id',
  namedBy: 'email',
  columns: ['id', 'email', 'name', 'status', 'created_at', 'answered_at'],
})
export class JoinRequestView {
  @ApiId('The request.')
  id: number;

  @ApiId('The user who asks.')
  user_id: number;

  name: string;

  email: string;

  /** State of the request. Only a `pending` request can be approved or rejected. */
  @ApiProperty({ enum: [...JOIN_REQUEST_STATUSES] })
  status: string;

  @ApiTime()
  created_at: string;

  @ApiNullableTime('Time of the answer. Null while the request is pending.')
  answered_at: string | null;
}
