import { ApiTime } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A new session; its cookie is `ld_session`. */
export class SignedInView {
  email: string;

  @ApiTime('Time at which the session expires.')
  expiry: string;

  @ApiProperty({ description: 'The token that every write of this session sends in the header x-csrf-token.' })
  csrf_token: string;
}
