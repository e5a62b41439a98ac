import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** The requested properties: name, shape, terms. This is main-api's half of a deployment; DeploymentRuntime is the other. */
@Entity('deployments')
export class Deployment {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint', { name: 'tenant_id' })
  tenantId: number;

  @Column('bigint', { name: 'division_id' })
  divisionId: number;

  @Column('bigint', { name: 'environment_id' })
  environmentId: number;

  @Column('text')
  name: string;

  /** 8 lower-case base32 characters; used in the domain. */
  @Column('text')
  code: string;

  @Column('text')
  variant: 'managed' | 'byoc' | 'starter';

  @Column('text', { default: '' })
  description: string;

  @Column('text')
  cloud: string;

  @Column('text')
  area: string;

  @Column('text')
  region: string;

  /** The Supervisor cell that runs the deployment. */
  @Column('text')
  cell: string;

  @Column('text')
  tier: string;

  @Column('text')
  cluster: string;

  @Column('text', { name: 'managed_tier', nullable: true })
  managedTier: string | null;

  @Column('text', { name: 'storage_type' })
  storageType: string;

  /** GB per node. */
  @Column('integer', { name: 'storage_size' })
  storageSize: number;

  /** KB/s. */
  @Column('integer', { name: 'target_network_tput' })
  targetNetworkTput: number;

  @Column('text', { name: 'network_scope' })
  networkScope: string;

  @Column('text', { name: 'availability_mode' })
  availabilityMode: string;

  @Column('smallint', { name: 'nodes_count' })
  nodesCount: number;

  @Column('boolean', { default: false })
  protected: boolean;

  @Column('boolean', { default: false })
  encrypted: boolean;

  @Column('boolean', { name: 'public_ip_enabled', default: true })
  publicIpEnabled: boolean;

  @Column('boolean', { name: 'subdomain_enabled', default: true })
  subdomainEnabled: boolean;

  @Column('boolean', { default: false })
  dedicated: boolean;

  @Column('smallint', { name: 'telemetry_days' })
  telemetryDays: number;

  /** True when the caller chose the retention. Then a change of terms does not change the retention. */
  @Column('boolean', { name: 'telemetry_days_explicit', default: false })
  telemetryDaysExplicit: boolean;

  /** USD per month, as decimal text. */
  @Column('numeric', { name: 'spend_limit', nullable: true, precision: 14, scale: 2 })
  spendLimit: string | null;

  /** USD per month for all nodes, as decimal text. */
  @Column('numeric', { name: 'monthly_compute', precision: 14, scale: 2 })
  monthlyCompute: string;

  /** USD per month for all nodes, as decimal text. */
  @Column('numeric', { name: 'monthly_storage', precision: 14, scale: 2 })
  monthlyStorage: string;

  @Column('text', { name: 'pricing_version' })
  pricingVersion: string;

  /** The saved cloud account of the deployment (byoc). Null for none, and after the account was removed. */
  @Column('bigint', { name: 'cloud_account_id', nullable: true })
  cloudAccountId: number | null;

  @Column('timestamptz', { name: 'upgraded_at', nullable: true })
  upgradedAt: Date | null;

  @Column('bigint', { name: 'author_id', nullable: true })
  authorId: number | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'deletion_requested_at', nullable: true })
  deletionRequestedAt: Date | null;
}
