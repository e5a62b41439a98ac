import { AREAS, AVAILABILITY_MODES, CLOUDS, CLUSTER_KINDS, MANAGED_TIERS, NETWORK_SCOPES, TIERS } from '@libs/catalog';
import { DEPLOYMENT_STATES } from '@libs/domain';
import {
  ApiNullableInteger,
  ApiNullableText,
  ApiTime,
  ApiId,
  CLIENTS,
  LAST_REPORT,
  PROTOCOLS,
  type ProtocolsView,
  Resource,
} from '@libs/http';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { FeaturesView } from '../../catalog/index.js';
import { PendingUpgradeView, StorageShapeView, UpgradeView } from './upgraded-shape.view.js';

/** The retention of telemetry of a deployment. */
export class RetentionView {
  /** Days of metrics, logs and heartbeats. */
  @ApiProperty({ type: 'integer' })
  telemetry_days: number;
}

/** A deployment in detail (C-12.4). Its live status is at the Supervisor of `supervisor_url`. */
export class DeploymentView {
  @ApiId('The deployment.')
  id: number;

  @ApiId('The division of the deployment.')
  division_id: number;

  @ApiId('The environment of the deployment.')
  environment_id: number;

  name: string;

  /** Short resource code. */
  code: string;

  /**
   * `managed`: Landlord runs the deployment. `byoc`: in the cloud account of the customer. `starter`: a Free
   * deployment.
   */
  @ApiProperty({ enum: ['managed', 'byoc', 'starter'] })
  variant: string;

  @ApiNullableText(
    'Domain name of the deployment: short code, region, cloud, and the domain of the installation. Null without one.',
  )
  domain: string | null;

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

  @ApiNullableText('Address of the regional Supervisor API.')
  supervisor_url: string | null;

  /**
   * False: the Supervisor of the region has stopped, or has not reported for a minute. `status` is then what it last reported, and
   * operations wait.
   */
  supervisor_reachable: boolean;

  @ApiProperty(LAST_REPORT)
  last_report_at: string | null;

  /** True: deletion needs a one-time code. */
  protected: boolean;

  /** The status that the Supervisor reports. */
  @ApiProperty({ enum: Object.keys(DEPLOYMENT_STATES) })
  status: string;

  @ApiNullableText('The reason for the status. Null: there is none.')
  status_reason: string | null;

  @ApiNullableInteger('The operation that runs for the deployment. Null: none runs.')
  operation_id: number | null;

  @ApiProperty({
    type: PendingUpgradeView,
    nullable: true,
    description: 'The requested upgrade that is not in force yet. Null: there is none.',
  })
  pending_upgrade: PendingUpgradeView | null;

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

  @ApiTime()
  created_at: string;

  @ApiTime()
  updated_at: string;

  /** Null for none. */
  description: string | null;

  /** Whether the message data and the backups are encrypted with a key of the deployment. */
  encrypted: boolean;

  /** Whether the deployment shares its machines with no other deployment. */
  dedicated: boolean;

  /** Whether the nodes have static public addresses. */
  public_ip_enabled: boolean;

  /** Whether the deployment has a domain name. */
  subdomain_enabled: boolean;

  /** Where the clients of the deployment are. */
  @ApiProperty({ enum: [...NETWORK_SCOPES] })
  network_scope: string;

  @ApiNullableText("IPv4 network of the customer's VPC (BYOC). Null without one.")
  vpc_cidr: string | null;

  @ApiProperty(PROTOCOLS)
  protocols: ProtocolsView | null;

  @ApiProperty(CLIENTS)
  clients: 'none_allowed' | null;

  @ApiProperty({
    type: FeaturesView,
    description: 'What the drivers could do at the creation. What they have lost since is `none`.',
  })
  features: FeaturesView;

  @ApiProperty({ type: [String], description: 'What to know about the deployment. Empty: nothing.' })
  warnings: string[];

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
@Resource<DeploymentItemView>({
  id: 'deployment_id',
  namedBy: 'name',
  columns: [
    'id',
    'name',
    'status',
    'division_id',
    'environment_id',
    'variant',
    'cloud',
    'region',
    'tier',
    'nodes_count',
    'created_at',
    'status_reason',
  ],
})
export class DeploymentItemView extends OmitType(DeploymentView, [
  'description',
  'encrypted',
  'dedicated',
  'public_ip_enabled',
  'subdomain_enabled',
  'network_scope',
  'vpc_cidr',
  'protocols',
  'clients',
  'features',
  'warnings',
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
