import type {
  BrokerDriver,
  ConfigId,
  ConnectorCounts,
  DeploymentId,
  NodeId,
  NodeStatus,
  RuntimeReport,
} from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One node of a deployment: its place and the last report of its agent. */
@Entity('nodes')
export class Node {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: NodeId;

  @Column('bigint')
  deployment_id: DeploymentId;

  /** Starts at 1. Node 1 is the leader. */
  @Column('smallint')
  ordinal: number;

  @Column('text')
  name: string;

  @Column('text', { default: 'pending' })
  status: NodeStatus;

  @Column('text', { nullable: true })
  status_reason: string | null;

  @Column('text')
  role: 'leader' | 'follower';

  /** The table allows null, but every insert sets it. */
  @Column('text', { nullable: true })
  broker_driver: BrokerDriver | null;

  /** The table allows null, but every insert sets it. */
  @Column('text', { nullable: true })
  broker_version: string | null;

  @Column('text')
  image_id: string;

  @Column('text', { nullable: true })
  zone: string | null;

  @Column('text')
  storage_type: string;

  /** GB. */
  @Column('integer')
  storage_size: number;

  @Column('text', { nullable: true })
  private_ip: string | null;

  @Column('text', { nullable: true })
  public_ip: string | null;

  @Column('text', { nullable: true })
  listen_address: string | null;

  /** Increases when the node is replaced. Writes with an older epoch are refused. */
  @Column('integer', { default: 1 })
  epoch: number;

  /** Sealed. */
  @Column('text', { nullable: true })
  bootstrap_token: string | null;

  @Column('bytea', { nullable: true })
  bootstrap_token_hash: Buffer | null;

  /** The token registers no agent from this time on. */
  @Column('timestamptz', { default: () => "now() + interval '30 minutes'" })
  bootstrap_expires_at: Date;

  @Column('bytea', { nullable: true })
  credential_hash: Buffer | null;

  @Column('boolean', { default: false })
  credential_confirmed: boolean;

  @Column('text', { nullable: true })
  agent_version: string | null;

  @Column('timestamptz', { nullable: true })
  last_seen_at: Date | null;

  @Column('bigint', { default: 0 })
  observed_timeline: number;

  @Column('bigint', { default: 0 })
  observed_generation: number;

  @Column('text', { default: '' })
  observed_hash: string;

  @Column('jsonb', { default: [] })
  runtimes: RuntimeReport[];

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { nullable: true })
  drained_at: Date | null;

  @Column('timestamptz', { nullable: true })
  unreachable_since: Date | null;

  @Column('jsonb', { default: {} })
  gauges: Record<string, number>;

  /** What the node's connectors have moved, by the last report. */
  @Column('jsonb', { default: [] })
  connector_counts: ConnectorCounts[];

  /** Compute size. Null for nodes from before sizes were stored. */
  @Column('text', { nullable: true })
  variant: string | null;

  /** Memory limit of its broker. Null for no limit. */
  @Column('integer', { nullable: true })
  memory_mib: number | null;

  @Column('integer', { default: 1 })
  credentials_version: number;

  /** The configuration of its broker. Null means the primary one (nodes from before this column). */
  @Column('bigint', { nullable: true })
  config_id: ConfigId | null;

  /** When a user stopped its broker. Null: the broker should run. */
  @Column('timestamptz', { nullable: true })
  stopped_at: Date | null;

  /** Since when the node does not run while its deployment should serve. Null: the node runs. */
  @Column('timestamptz', { nullable: true })
  down_since: Date | null;

  /** Number of restarts that users requested. */
  @Column('integer', { default: 0 })
  restarts: number;

  @Column('timestamptz', { nullable: true })
  held_at: Date | null;

  @Column('timestamptz', { nullable: true })
  connectors_stopped_at: Date | null;

  /** Number of connector restarts that users requested. */
  @Column('integer', { default: 0 })
  connector_restarts: number;
}
