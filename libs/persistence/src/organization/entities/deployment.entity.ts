import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { EMPTY_AS_NULL } from '../../empty-as-null.js';
import type {
  CloudAccountId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  FeatureLevels,
  TenantId,
  UserId,
} from '@libs/domain';

/**
 * The requested properties: name, shape, terms. This is main-api's half of a deployment; DeploymentRuntime is the
 * other.
 */
@Entity('deployments')
export class Deployment {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: DeploymentId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  division_id: DivisionId;

  @Column('bigint')
  environment_id: EnvironmentId;

  @Column('text')
  name: string;

  /** 8 lower-case base32 characters; used in the domain. */
  @Column('text')
  code: string;

  @Column('text')
  variant: 'managed' | 'byoc' | 'starter';

  @Column('text', EMPTY_AS_NULL)
  description: string | null;

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

  @Column('text', { nullable: true })
  managed_tier: string | null;

  @Column('text')
  storage_type: string;

  /** GB per node. */
  @Column('integer')
  storage_size: number;

  /** KB/s. */
  @Column('integer')
  target_network_tput: number;

  @Column('text')
  network_scope: string;

  @Column('text')
  availability_mode: string;

  @Column('smallint')
  nodes_count: number;

  @Column('boolean', { default: false })
  protected: boolean;

  @Column('boolean', { default: false })
  encrypted: boolean;

  @Column('boolean', { default: true })
  public_ip_enabled: boolean;

  @Column('boolean', { default: true })
  subdomain_enabled: boolean;

  @Column('boolean', { default: false })
  dedicated: boolean;

  /** What the drivers could do at the creation. */
  @Column('jsonb', { default: {} })
  features: FeatureLevels;

  @Column('smallint')
  telemetry_days: number;

  /** True when the caller chose the retention. Then a change of terms does not change the retention. */
  @Column('boolean', { default: false })
  telemetry_days_explicit: boolean;

  /** USD per month, as decimal text. */
  @Column('numeric', { nullable: true, precision: 14, scale: 2 })
  spend_limit: string | null;

  /** USD per month for all nodes, as decimal text. */
  @Column('numeric', { precision: 14, scale: 2 })
  monthly_compute: string;

  /** USD per month for all nodes, as decimal text. */
  @Column('numeric', { precision: 14, scale: 2 })
  monthly_storage: string;

  @Column('text')
  pricing_version: string;

  @Column('timestamptz', { nullable: true })
  upgraded_at: Date | null;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @Column('timestamptz', { nullable: true })
  deletion_requested_at: Date | null;

  /** The saved cloud account of the deployment (byoc). Null for none, and after the account was removed. */
  @Column('bigint', { nullable: true })
  cloud_account_id: CloudAccountId | null;
}
