import type { BrokerDriver, NodeStatus, RuntimeReport } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One node of a deployment: its place and the last report of its agent. */
@Entity('nodes')
export class Node {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint', { name: 'deployment_id' })
  deploymentId: number;

  /** Starts at 1. Node 1 is the leader. */
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

  /** Compute size. Null for nodes from before sizes were stored. */
  @Column('text', { nullable: true })
  variant: string | null;

  /** Memory limit of its broker. Null for no limit. */
  @Column('integer', { name: 'memory_mib', nullable: true })
  memoryMib: number | null;

  /** The configuration of its broker. Null means the primary one (nodes from before this column). */
  @Column('bigint', { name: 'config_id', nullable: true })
  configId: number | null;

  /** When a user stopped its broker. Null: the broker should run. */
  @Column('timestamptz', { name: 'stopped_at', nullable: true })
  stoppedAt: Date | null;

  @Column('text', { name: 'private_ip', nullable: true })
  privateIp: string | null;

  @Column('text', { name: 'public_ip', nullable: true })
  publicIp: string | null;

  @Column('text', { name: 'listen_address', nullable: true })
  listenAddress: string | null;

  /** Increases when the node is replaced. Writes with an older epoch are refused. */
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
