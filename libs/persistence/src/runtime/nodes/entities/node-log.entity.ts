import type { LogLevel, LogRuntime } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A log line of a node. */
@Entity('node_logs')
export class NodeLog {
  @PrimaryColumn('bigint')
  deployment_id: number;

  @PrimaryColumn('timestamptz')
  at: Date;

  @PrimaryColumn('bigint', { generated: 'identity' })
  id: number;

  @Column('bigint')
  node_id: number;

  @Column('text')
  runtime: LogRuntime;

  @Column('text')
  level: LogLevel;

  @Column('text')
  message: string;
}
