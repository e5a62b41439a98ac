import type { NodeRuntime, DeploymentId, NodeId } from '@libs/domain';
import { Column, PrimaryColumn } from 'typeorm';

/** The metrics of one runtime of a node within the time that begins at `minute`. */
export abstract class NodeMetricColumns {
  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  @PrimaryColumn('bigint')
  node_id: NodeId;

  @PrimaryColumn('text')
  runtime: NodeRuntime;

  @PrimaryColumn('timestamptz')
  minute: Date;

  @Column('double precision', { nullable: true })
  cpu_percent: number | null;

  @Column('double precision', { nullable: true })
  memory_bytes: number | null;

  @Column('double precision', { nullable: true })
  disk_bytes: number | null;

  @Column('double precision', { nullable: true })
  messages: number | null;

  @Column('double precision', { nullable: true })
  streams: number | null;

  @Column('double precision', { nullable: true })
  topics: number | null;

  @Column('double precision', { nullable: true })
  partitions: number | null;

  @Column('double precision', { nullable: true })
  segments: number | null;

  @Column('double precision', { nullable: true })
  clients: number | null;

  @Column('double precision', { nullable: true })
  consumer_groups: number | null;

  @Column('double precision', { nullable: true })
  messages_in: number | null;

  @Column('double precision', { nullable: true })
  messages_out: number | null;

  @Column('double precision', { nullable: true })
  bytes_in: number | null;

  @Column('double precision', { nullable: true })
  bytes_out: number | null;

  @Column('double precision', { nullable: true })
  messages_moved: number | null;

  @Column('double precision', { nullable: true })
  messages_failed: number | null;

  @Column('double precision', { nullable: true })
  lag: number | null;

  @Column('double precision', { nullable: true })
  subscriptions: number | null;

  @Column('double precision', { nullable: true })
  refused_connections: number | null;

  @Column('double precision', { nullable: true })
  refused_logins: number | null;
}
