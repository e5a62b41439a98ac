import { PLANS } from '@libs/domain';
import { ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A tenant, which is an organization, in a list. */
@Resource<TenantItem>({ id: 'tenant_id', namedBy: 'name', columns: ['id', 'name', 'plan', 'owner', 'created_at'] })
export class TenantItem {
  @ApiId('The tenant.')
  id: number;

  name: string;

  /** True when the calling user, or the user of the calling key, owns the tenant. */
  owner: boolean;

  /** The plan of the tenant. */
  @ApiProperty({ enum: [...PLANS] })
  plan: string;

  @ApiTime()
  created_at: string;
}
