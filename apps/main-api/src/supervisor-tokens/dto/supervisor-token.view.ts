import { ApiTime } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A token for one Supervisor. Landlord stores it nowhere. */
export class SupervisorTokenView {
  /** Sent to the Supervisor in the header ld-api-key. */
  token: string;

  @ApiProperty({ type: 'string', format: 'uri', description: 'The address of the Supervisor.' })
  supervisor_url: string;

  /** Time at which the token expires, 15 minutes after its creation. */
  @ApiTime()
  expires_at: string;
}
