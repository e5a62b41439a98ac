import type { NodeStatus, DeploymentId, NodeId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The reports of a node within one minute. */
@Entity('node_heartbeats')
export class NodeHeartbeat {
  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  @PrimaryColumn('timestamptz')
  minute: Date;

  @PrimaryColumn('bigint')
  node_id: NodeId;

  @Column('integer')
  beats: number;

  @Column('timestamptz')
  last_at: Date;

  @Column('text')
  status: NodeStatus;

  @Column('text', { nullable: true })
  agent_version: string | null;
}
