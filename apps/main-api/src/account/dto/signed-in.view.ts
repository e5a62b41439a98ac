import { ApiProperty } from '@nestjs/swagger';

/** A session that has begun; its cookie is `ld_session`. */
export class SignedInView {
  email: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When the session ends by itself.' })
  expiry: string;

  @ApiProperty({ description: 'What writes of this session send as x-csrf-token.' })
  csrf_token: string;
}
