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
      'The driver that creates nodes in this cloud. `local` runs nodes as processes beside the Supervisor. Null while no Supervisor serves the cloud.',
  })
  driver: string | null;
}

/** A region of a cloud (C-11.3). */
export class RegionView {
  /** Key of the region, with the name that the provider uses. */
  key: string;

  name: string;

  @ApiProperty({ enum: [...AREAS] })
  area: string;

  /** True when the region accepts new deployments now. */
  available: boolean;
}

/** A compute size in a region (C-11.4). */
export class TierView {
  @ApiProperty({ enum: [...TIERS] })
  key: string;

  name: string;

  description: string;

  available: boolean;

  @ApiProperty({ type: 'integer', description: 'How many more deployments of this size the plan allows.' })
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
