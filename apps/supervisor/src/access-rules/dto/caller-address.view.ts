import { ApiNullableText } from '@libs/http';

/** The address from which the Supervisor sees the caller (C-15.15). */
export class CallerAddressView {
  /** The address: IPv4, or IPv6. */
  address: string;

  @ApiNullableText('The CIDR of this address alone, for a rule. Null for IPv6, because rules have IPv4 CIDRs.')
  cidr: string | null;
}
