import { MANAGED_TIERS, TIERS, type ManagedTier, type Tier } from '@libs/catalog';
import { Example, IsOneOf, Nested, Optional } from '@libs/http';
import { StorageDto } from './shape.dto.js';

/** The larger values of an upgrade; at least one member. */
@Example<UpgradeDto>({ tier: 'medium' })
export class UpgradeDto {
  @Optional()
  @IsOneOf(TIERS, 'A larger compute size.')
  tier?: Tier;

  @Optional()
  @Nested(StorageDto, 'Larger Network Drive; the type stays.')
  storage?: StorageDto;

  @Optional()
  @IsOneOf(MANAGED_TIERS, 'A higher managed tier.')
  managed_tier?: ManagedTier;
}
