import { PLANS } from '@libs/domain';
import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A tenant, which is an organization, in a list. */
export class TenantItem {
  @ApiId('The tenant.')
  id: number;

  name: string;

  /** True when the calling user, or the user of the calling key, owns the tenant. */
  owner: boolean;

  /** The plan of the tenant. */
  @ApiProperty({ enum: [...PLANS] })
  plan: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
