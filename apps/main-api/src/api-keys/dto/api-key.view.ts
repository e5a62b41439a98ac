import { ApiNullableInteger, ApiNullableText, ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { PERMISSION_TREE } from '../../platform/index.js';

/** Addresses and CIDRs that may use a key. */
export const ALLOWED_IPS = {
  type: 'array' as const,
  items: { type: 'string' as const },
  description: 'IPv4 or IPv6 addresses and CIDRs that may use the key.',
};

/** An API key in a list (C-6.2), without its secret. */
@Resource<ApiKeyItem>({
  id: 'api_key_id',
  namedBy: 'name',
  columns: ['id', 'name', 'role_name', 'division_name', 'expiry_at', 'last_used_at', 'allowed_ips', 'created_at'],
})
export class ApiKeyItem {
  @ApiId('The key.')
  id: number;

  name: string;

  @ApiId('The role that gives the key its permissions.')
  role_id: number;

  /** Name of the role. */
  role_name: string;

  @ApiNullableInteger('The division that limits the key. Null for a key of the whole tenant.')
  division_id: number | null;

  /** Name of the division that limits the key. Null for a key of the whole tenant. */
  @ApiNullableText()
  division_name: string | null;

  /** True when the key works only from the addresses of its allowlist. */
  validate_ip: boolean;

  @ApiProperty(ALLOWED_IPS)
  allowed_ips: string[];

  /** Time at which the key stops working. */
  @ApiTime()
  expiry_at: string;

  @ApiTime()
  created_at: string;

  @ApiNullableTime('To the minute; null for never.')
  last_used_at: string | null;
}

/** An API key with its permissions, without its secret. */
export class ApiKeyView extends ApiKeyItem {
  @ApiId('The user that owns the key.')
  user_id: number;

  @ApiProperty({ ...PERMISSION_TREE, description: 'The permissions of the key, by group.' })
  permissions: object;
}

/** An API key with its secret, which is shown only once. */
export class ApiKeyWithSecretView extends ApiKeyView {
  @ApiProperty({ description: 'The secret of the key, for the header ld-api-key. The secret is shown only once.' })
  secret: string;
}
