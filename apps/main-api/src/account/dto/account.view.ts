import { ApiTime, ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A tenant of the user. */
export class AccountTenantView {
  @ApiId('The tenant.')
  id: number;

  name: string;

  /** True when the user owns the tenant. */
  owner: boolean;

  /** False when the membership is inactive: an inactive member has no access. */
  active: boolean;
}

/** The signed-in user. */
export class AccountView {
  @ApiId('The user.')
  id: number;

  email: string;

  name: string;

  /** True when the e-mail address is verified. */
  verified: boolean;

  @ApiProperty({ description: 'The token that every write of this session sends in the header x-csrf-token.' })
  csrf_token: string;

  /** The tenants of the user, including those with an inactive membership. */
  @ApiProperty({ type: [AccountTenantView] })
  tenants: AccountTenantView[];

  @ApiTime()
  created_at: string;
}
