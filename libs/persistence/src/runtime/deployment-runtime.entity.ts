import type { DeploymentStatus } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How a deployment is doing (the supervisor's half). Born in the transaction of the request, then its owner's alone. */
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

  /** Sealed; shared by the nodes of the deployment only. */
  @Column('text', { name: 'peer_secret' })
  peerSecret: string;

  @Column('timestamptz', { name: 'initialized_at', nullable: true })
  initializedAt: Date | null;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
