import type { BrokerDriver, NodeStatus, RuntimeReport } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One node of a deployment: where it is and what its agent last said. */
@Entity('nodes')
export class Node {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint', { name: 'deployment_id' })
  deploymentId: number;

  /** From 1; node 1 leads. */
  @Column('smallint')
  ordinal: number;

  @Column('text')
  name: string;

  @Column('text', { default: 'pending' })
  status: NodeStatus;

  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  @Column('text')
  role: 'leader' | 'follower';

  @Column('text', { name: 'broker_driver' })
  brokerDriver: BrokerDriver;

  @Column('text', { name: 'broker_version' })
  brokerVersion: string;

  @Column('text', { name: 'image_id' })
  imageId: string;

  @Column('text', { nullable: true })
  zone: string | null;

  @Column('text', { name: 'storage_type' })
  storageType: string;

  /** GB. */
  @Column('integer', { name: 'storage_size' })
  storageSize: number;

  /** Compute size; null for a node from before sizes were kept with nodes. */
  @Column('text', { nullable: true })
  variant: string | null;

  /** What its broker may use; null for no cap. */
  @Column('integer', { name: 'memory_mib', nullable: true })
  memoryMib: number | null;

  /** The configuration that its broker runs by; null for a node from before: the primary one. */
  @Column('bigint', { name: 'config_id', nullable: true })
  configId: number | null;

  /** Since when a user wants its broker stopped; null: it is to run. */
  @Column('timestamptz', { name: 'stopped_at', nullable: true })
  stoppedAt: Date | null;

  @Column('text', { name: 'private_ip', nullable: true })
  privateIp: string | null;

  @Column('text', { name: 'public_ip', nullable: true })
  publicIp: string | null;

  @Column('text', { name: 'listen_address', nullable: true })
  listenAddress: string | null;

  /** Raised when the node is replaced; writes of an older one are refused. */
  @Column('integer', { default: 1 })
  epoch: number;

  @Column('text', { name: 'agent_version', nullable: true })
  agentVersion: string | null;

  @Column('timestamptz', { name: 'last_seen_at', nullable: true })
  lastSeenAt: Date | null;

  @Column('bigint', { name: 'observed_timeline', default: 0 })
  observedTimeline: number;

  @Column('bigint', { name: 'observed_generation', default: 0 })
  observedGeneration: number;

  @Column('jsonb', { default: [] })
  runtimes: RuntimeReport[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
