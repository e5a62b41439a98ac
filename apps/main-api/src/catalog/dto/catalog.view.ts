import { ApiNullableText, Resource } from '@libs/http';
import { AREAS, CLOUDS, CLUSTER_KINDS, STORAGE_TYPES, TIERS } from '@libs/catalog';
import { ApiProperty } from '@nestjs/swagger';
import { FeaturesByClusterView, FeaturesView } from './features.view.js';

/** A cloud in which tenants can create deployments (C-11.2). */
@Resource<CloudView>({ columns: ['key', 'name', 'driver'] })
export class CloudView {
  /** Key of the cloud, for other requests. */
  @ApiProperty({ enum: [...CLOUDS] })
  key: string;

  name: string;

  @ApiNullableText(
    'The driver that creates nodes in this cloud. `local` runs nodes as processes beside the Supervisor. Null while no Supervisor serves the cloud.',
  )
  driver: string | null;

  @ApiProperty({ type: FeaturesView, description: 'The weakest of the regions that a Supervisor serves.' })
  features: FeaturesView;
}

/** A region of a cloud (C-11.3). */
@Resource<RegionView>({ columns: ['key', 'name', 'area', 'available'] })
export class RegionView {
  /** Key of the region, with the name that the provider uses. */
  key: string;

  name: string;

  /** The part of the world that the region is in. */
  @ApiProperty({ enum: [...AREAS] })
  area: string;

  /** True when the region accepts new deployments now. */
  available: boolean;

  @ApiProperty({
    type: FeaturesView,
    nullable: true,
    description:
      'What a new deployment in the region can do, of either kind. Null: no Supervisor has served the region.',
  })
  features: FeaturesView | null;

  @ApiProperty({
    type: FeaturesByClusterView,
    nullable: true,
    description:
      'The same by the kind of the deployment, because clusters and single nodes can have different brokers.',
  })
  features_by_cluster: FeaturesByClusterView | null;
}

/** A compute size in a region (C-11.4). */
@Resource<TierView>({ columns: ['key', 'name', 'vcpus', 'memory_gib', 'available', 'limit', 'clusters', 'storages'] })
export class TierView {
  /** Compute size. */
  @ApiProperty({ enum: [...TIERS] })
  key: string;

  name: string;

  description: string;

  /** True when the region offers the compute size. */
  available: boolean;

  @ApiProperty({ type: 'integer', description: 'How many more deployments of this size the plan allows.' })
  limit: number;

  /** Kinds of clusters that can use the compute size. */
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...CLUSTER_KINDS] } })
  clusters: string[];

  /** Types of storage that the region offers for the compute size. */
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...STORAGE_TYPES] } })
  storages: string[];

  @ApiNullableText('Broker rate limit; null when none applies.')
  rate_limit: string | null;

  /** Virtual CPUs of one node. */
  vcpus: number;

  /** Memory of one node. */
  memory_gib: number;
}

/** A storage type in a region (C-11.5). */
@Resource<StorageView>({ columns: ['key', 'name', 'available', 'clusters', 'description'] })
export class StorageView {
  /** Type of storage. */
  @ApiProperty({ enum: [...STORAGE_TYPES] })
  key: string;

  name: string;

  description: string;

  /** True when the region offers the type of storage. */
  available: boolean;

  /** Kinds of clusters that can use the type of storage. */
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...CLUSTER_KINDS] } })
  clusters: string[];
}
