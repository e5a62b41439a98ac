import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A tenant that the user is in. */
export class AccountTenantView {
  @ApiId('The tenant.')
  id: number;

  name: string;

  /** Whether the user owns it. */
  owner: boolean;

  /** Whether the membership counts; an inactive member may do nothing. */
  active: boolean;
}

/** Who is signed in. */
export class AccountView {
  @ApiId('The user.')
  id: number;

  email: string;

  name: string;

  /** Whether the address is proved. */
  verified: boolean;

  @ApiProperty({ description: 'What writes of this session send as x-csrf-token.' })
  csrf_token: string;

  @ApiProperty({ type: [AccountTenantView] })
  tenants: AccountTenantView[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
