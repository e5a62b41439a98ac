import { AREAS, AVAILABILITY_MODES, CLOUDS, CLUSTER_KINDS, MANAGED_TIERS, STORAGE_TYPES, TIERS } from '@libs/catalog';
import { ApiId } from '@libs/http';
import { ApiProperty, OmitType } from '@nestjs/swagger';

/** Storage of each node. */
export class StorageShapeView {
  /** Type of storage. */
  @ApiProperty({ enum: [...STORAGE_TYPES] })
  type: string;

  @ApiProperty({ type: 'integer', description: 'GB per node.' })
  size: number;
}

/** The retention of telemetry of a deployment. */
export class RetentionView {
  /** Days of metrics, logs and heartbeats. */
  @ApiProperty({ type: 'integer' })
  telemetry_days: number;
}

/** The part of a deployment that an upgrade changes. */
export class UpgradedShapeView {
  /** Compute size of each node. */
  @ApiProperty({ enum: [...TIERS] })
  tier: string;

  /** Storage of each node. */
  @ApiProperty({ type: StorageShapeView })
  storage: StorageShapeView;

  @ApiProperty({ type: 'string', nullable: true, description: 'The terms; null without any.' })
  managed_tier: string | null;
}

/** One finished upgrade. */
export class UpgradeView {
  /** Time of the upgrade. */
  @ApiProperty({ type: 'string', format: 'date-time' })
  upgraded_at: string;

  /** The shape before the upgrade. */
  @ApiProperty({ type: UpgradedShapeView })
  from: UpgradedShapeView;

  /** The shape after the upgrade. */
  @ApiProperty({ type: UpgradedShapeView })
  to: UpgradedShapeView;
}

/** A deployment in detail (C-12.4). Its live status is at the Supervisor of `supervisor_url`. */
export class DeploymentView {
  @ApiId('The deployment.')
  id: number;

  name: string;

  /** Short resource code. */
  code: string;

  /**
   * `managed`: Landlord runs the deployment. `byoc`: in the cloud account of the customer. `starter`: a Free
   * deployment.
   */
  @ApiProperty({ enum: ['managed', 'byoc', 'starter'] })
  variant: string;

  /** Domain name of the deployment: short code, region, cloud, and the domain of the installation. */
  domain: string;

  /** Key of the cloud. */
  @ApiProperty({ enum: [...CLOUDS] })
  cloud: string;

  /** The part of the world that the region is in. */
  @ApiProperty({ enum: [...AREAS] })
  area: string;

  /** Key of the region. */
  region: string;

  /** Compute size of each node. */
  @ApiProperty({ enum: [...TIERS] })
  tier: string;

  /** `cluster`: at least three nodes. `standalone`: one node. */
  @ApiProperty({ enum: [...CLUSTER_KINDS] })
  cluster: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Address of the regional Supervisor API.' })
  supervisor_url: string | null;

  /** True: deletion needs a one-time code. */
  protected: boolean;

  /** Number of nodes. */
  @ApiProperty({ type: 'integer' })
  nodes_count: number;

  /** Storage of each node. */
  @ApiProperty({ type: StorageShapeView })
  storage: StorageShapeView;

  /** Whether the nodes are in one availability zone (`single_az`) or in several (`multi_az`). */
  @ApiProperty({ enum: [...AVAILABILITY_MODES] })
  availability_mode: string;

  /** The retention of telemetry. */
  @ApiProperty({ type: RetentionView })
  retention: RetentionView;

  @ApiProperty({ type: 'number', nullable: true, description: 'USD a month.' })
  spend_limit: number | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;

  description: string;

  @ApiProperty({ type: [UpgradeView], description: 'Upgrades, newest first.' })
  upgrades: UpgradeView[];

  /** True when the upgrade cooldown is over. */
  can_upgrade: boolean;

  @ApiProperty({ type: 'integer', description: 'Throughput estimate, KB/s.' })
  target_network_tput: number;

  @ApiProperty({
    enum: [...MANAGED_TIERS],
    required: false,
    description: 'The active terms; only of paid deployments.',
  })
  managed_tier?: string;

  @ApiProperty({
    type: 'number',
    required: false,
    description: 'USD a month by the active terms; only of paid deployments.',
  })
  monthly_base?: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    required: false,
    description: 'The saved cloud account of a BYOC deployment. Null for none.',
  })
  cloud_account_id?: number | null;
}

/** A deployment in a list. */
export class DeploymentItemView extends OmitType(DeploymentView, [
  'description',
  'upgrades',
  'can_upgrade',
  'target_network_tput',
  'managed_tier',
  'monthly_base',
  'cloud_account_id',
] as const) {}

/** The ids of a deployment that an accepted request creates or changes, and of its operation. */
export class AcceptedView {
  @ApiId('The environment.')
  environment_id: number;

  @ApiId('The deployment.')
  deployment_id: number;

  @ApiId('The operation that does the work.')
  operation_id: number;
}
