import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const NAMES = { type: 'array' as const, items: { type: 'string' as const } };

/** An API key in detail (spec, "API key"); its secret is never shown again. */
export class ApiKeyView {
  @ApiId('The key.')
  id: number;

  name: string;

  @ApiId('The role that it carries.')
  role_id: number;

  role_name: string;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, description: 'Its scope; null when tenant-wide.' })
  division_id: number | null;

  @ApiProperty({ type: 'string', nullable: true })
  division_name: string | null;

  @ApiId('The user that owns it.')
  user_id: number;

  /** Whether the address of the caller is checked. */
  validate_ip: boolean;

  @ApiProperty({ ...NAMES, description: 'IPs or CIDRs that may use it.' })
  allowed_ips: string[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  expiry_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({
    type: 'object',
    description: 'What it permits, by group.',
    properties: {
      tenant: NAMES,
      division: NAMES,
      environment: NAMES,
      divisions: { type: 'object', additionalProperties: true },
    },
  })
  permissions: object;
}
