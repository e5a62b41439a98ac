import type { LogLevel, LogRuntime, DeploymentId, LogLineId, NodeId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A log line of a node. */
@Entity('node_logs')
export class NodeLog {
  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  @PrimaryColumn('timestamptz')
  at: Date;

  @PrimaryColumn('bigint', { generated: 'identity' })
  id: LogLineId;

  @Column('bigint')
  node_id: NodeId;

  @Column('text')
  runtime: LogRuntime;

  @Column('text')
  level: LogLevel;

  @Column('text')
  message: string;
}
