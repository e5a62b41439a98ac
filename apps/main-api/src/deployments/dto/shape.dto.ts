import { AVAILABILITY_MODES, CLOUDS, MANAGED_TIERS, NETWORK_SCOPES, STORAGE_TYPES, TIERS } from '@libs/catalog';
import type { AvailabilityMode, Cloud, ManagedTier, NetworkScope, StorageType, Tier } from '@libs/catalog';
import { Example, IsOneOf, Nested, Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';

/** Storage of each node. */
export class StorageDto {
  @Optional()
  @IsOneOf(STORAGE_TYPES, 'Network Drive or Local NVMe; default Network Drive.')
  type?: StorageType;

  @ApiProperty({
    type: 'integer',
    minimum: 100,
    maximum: 30_000,
    description: 'GB per node, Network Drive only; default 100.',
  })
  @Optional()
  @IsInt()
  @Min(100)
  @Max(30_000)
  size?: number;
}

/** The shape of a deployment: the members that a preview and a creation have in common. */
@Example<ShapeDto>({
  cloud: 'aws',
  region: 'us-east-1',
  tier: 'small',
  managed_tier: 'standard',
  storage: { type: 'network_balanced', size: 200 },
})
export class ShapeDto {
  @IsOneOf(CLOUDS, 'The cloud.')
  cloud: Cloud;

  @ApiProperty({ description: 'A region of the cloud, with the name that the provider uses.' })
  @IsString()
  @MaxLength(64)
  region: string;

  @Optional()
  @IsOneOf(MANAGED_TIERS, 'Commercial terms; required for paid, left out for Free.')
  managed_tier?: ManagedTier;

  @IsOneOf(TIERS, 'Compute size.')
  tier: Tier;

  @Optional()
  @Nested(StorageDto, 'Default: 100 GB of Network Drive per node.')
  storage?: StorageDto;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 100_000_000,
    description: 'KB/s; default: the estimate of the tier.',
  })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100_000_000)
  target_network_tput?: number;

  @Optional()
  @IsOneOf(NETWORK_SCOPES, 'Where the clients of the deployment are. Default `same_region`.')
  network_scope?: NetworkScope;

  @Optional()
  @IsOneOf(AVAILABILITY_MODES, 'Default `single_az`.')
  availability_mode?: AvailabilityMode;
}
