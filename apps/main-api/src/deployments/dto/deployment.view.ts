import { AREAS, AVAILABILITY_MODES, CLOUDS, CLUSTER_KINDS, MANAGED_TIERS, STORAGE_TYPES, TIERS } from '@libs/catalog';
import { ApiId } from '@libs/http';
import { ApiProperty, OmitType } from '@nestjs/swagger';

/** Storage of each node. */
export class StorageShapeView {
  @ApiProperty({ enum: [...STORAGE_TYPES] })
  type: string;

  @ApiProperty({ type: 'integer', description: 'GB per node.' })
  size: number;
}

/** The retention of telemetry. */
export class RetentionView {
  @ApiProperty({ type: 'integer' })
  telemetry_days: number;
}

/** The part of a deployment that an upgrade changes. */
export class UpgradedShapeView {
  @ApiProperty({ enum: [...TIERS] })
  tier: string;

  @ApiProperty({ type: StorageShapeView })
  storage: StorageShapeView;

  @ApiProperty({ type: 'string', nullable: true, description: 'The terms; null without any.' })
  managed_tier: string | null;
}

/** One finished upgrade. */
export class UpgradeView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  upgraded_at: string;

  @ApiProperty({ type: UpgradedShapeView })
  from: UpgradedShapeView;

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

  @ApiProperty({ enum: ['managed', 'byoc', 'starter'] })
  variant: string;

  domain: string;

  @ApiProperty({ enum: [...CLOUDS] })
  cloud: string;

  @ApiProperty({ enum: [...AREAS] })
  area: string;

  region: string;

  @ApiProperty({ enum: [...TIERS] })
  tier: string;

  @ApiProperty({ enum: [...CLUSTER_KINDS] })
  cluster: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Address of the regional Supervisor API.' })
  supervisor_url: string | null;

  protected: boolean;

  @ApiProperty({ type: 'integer' })
  nodes_count: number;

  @ApiProperty({ type: StorageShapeView })
  storage: StorageShapeView;

  @ApiProperty({ enum: [...AVAILABILITY_MODES] })
  availability_mode: string;

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

/** The resources of an accepted request. */
export class AcceptedView {
  @ApiId('The environment.')
  environment_id: number;

  @ApiId('The deployment.')
  deployment_id: number;

  @ApiId('The operation that does the work.')
  operation_id: number;
}
