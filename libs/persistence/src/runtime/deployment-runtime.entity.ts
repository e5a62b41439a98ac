import type { DeploymentStatus } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The state of a deployment (the Supervisor's half). main-api inserts it in the transaction of the request. After that only the
 * Supervisor updates it.
 */
@Entity('deployment_runtimes')
export class DeploymentRuntime {
  @PrimaryColumn('bigint', { name: 'deployment_id' })
  deploymentId: number;

  @Column('text')
  cell: string;

  @Column('text')
  status: DeploymentStatus;

  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  @Column('timestamptz', { name: 'status_since', default: () => 'now()' })
  statusSince: Date;

  @Column('text', { name: 'network_mode', default: 'public' })
  networkMode: 'public' | 'private';

  @Column('text', { nullable: true })
  cidr: string | null;

  @Column('text', { name: 'network_id', nullable: true })
  networkId: string | null;

  @Column('text', { name: 'subnet_ids', array: true, default: '{}' })
  subnetIds: string[];

  @Column('text', { name: 'load_balancer', nullable: true })
  loadBalancer: string | null;

  /** Sealed. Only the nodes of the deployment share it. */
  @Column('text', { name: 'peer_secret' })
  peerSecret: string;

  @Column('timestamptz', { name: 'initialized_at', nullable: true })
  initializedAt: Date | null;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
