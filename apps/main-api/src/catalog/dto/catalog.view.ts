import { AREAS, CLOUDS, CLUSTER_KINDS, STORAGE_TYPES, TIERS } from '@libs/catalog';
import { ApiProperty } from '@nestjs/swagger';

/** A cloud (C-11.2). */
export class CloudView {
  @ApiProperty({ enum: [...CLOUDS] })
  key: string;

  name: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'What makes its nodes: `local` runs them as processes beside the supervisor. Null while no supervisor serves it.',
  })
  driver: string | null;
}

/** A region of a cloud (C-11.3). */
export class RegionView {
  /** As the provider spells it. */
  key: string;

  name: string;

  @ApiProperty({ enum: [...AREAS] })
  area: string;

  /** Whether deployments can be created there now. */
  available: boolean;
}

/** A compute size in a region (C-11.4). */
export class TierView {
  @ApiProperty({ enum: [...TIERS] })
  key: string;

  name: string;

  description: string;

  available: boolean;

  @ApiProperty({ type: 'integer', description: 'How many more deployments of this size the plan permits.' })
  limit: number;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...CLUSTER_KINDS] } })
  clusters: string[];

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...STORAGE_TYPES] } })
  storages: string[];

  @ApiProperty({ type: 'string', nullable: true, description: 'Broker rate limit; null when none applies.' })
  rate_limit: string | null;

  /** Virtual CPUs of one node. */
  vcpus: number;

  /** Memory of one node. */
  memory_gib: number;
}

/** A storage type in a region (C-11.5). */
export class StorageView {
  @ApiProperty({ enum: [...STORAGE_TYPES] })
  key: string;

  name: string;

  description: string;

  available: boolean;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...CLUSTER_KINDS] } })
  clusters: string[];
}
