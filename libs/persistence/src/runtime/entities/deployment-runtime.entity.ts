import type { DeploymentStatus, DeploymentId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The state of a deployment (the Supervisor's half). main-api inserts it in the transaction of the request. After that
 * only the Supervisor updates it.
 */
@Entity('deployment_runtimes')
export class DeploymentRuntime {
  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  @Column('text')
  cell: string;

  @Column('text')
  status: DeploymentStatus;

  @Column('text', { nullable: true })
  status_reason: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  status_since: Date;

  @Column('text', { default: 'public' })
  network_mode: 'public' | 'private';

  @Column('text', { nullable: true })
  cidr: string | null;

  @Column('text', { nullable: true })
  network_id: string | null;

  /** The account of the network, as the provider says. Null: the provider has no accounts, or the network does not exist yet. */
  @Column('text', { nullable: true })
  network_account: string | null;

  @Column('text', { array: true, default: '{}' })
  subnet_ids: string[];

  @Column('text', { nullable: true })
  load_balancer: string | null;

  /** Since when the name and the load balancer can lead to a machine that a node no longer has. Null: they lead to the nodes. */
  @Column('timestamptz', { nullable: true })
  redirecting_since: Date | null;

  /** Sealed. Only the nodes of the deployment share it. */
  @Column('text')
  peer_secret: string;

  /** Sealed: the key for the stored data of the nodes. Null: the data is not encrypted. */
  @Column('text', { nullable: true })
  data_key: string | null;

  /** The deployment whose backup the nodes receive. Null: none. */
  @Column('bigint', { nullable: true })
  restore_source: DeploymentId | null;

  /** Bytes per second of PUBLISH packets from clients. Null: no limit. */
  @Column('integer', { nullable: true })
  rate_limit_bytes: number | null;

  @Column('timestamptz', { nullable: true })
  initialized_at: Date | null;

  @Column('timestamptz', { nullable: true })
  deleted_at: Date | null;

  @Column('timestamptz', { nullable: true })
  telemetry_purged_at: Date | null;
}
