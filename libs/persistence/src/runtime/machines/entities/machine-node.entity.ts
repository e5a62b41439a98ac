import type { BrokerDriver, DeploymentId, MachineId, MachineNodeState, NodeId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A node that is placed on a machine. The row goes when the machine has reported that nothing of the node is left. */
@Entity('machine_nodes')
export class MachineNode {
  /** The name of the resource. */
  @PrimaryColumn('text')
  name: string;

  @Column('bigint')
  node_id: NodeId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('bigint')
  machine_id: MachineId;

  /** The epoch of the node when it was placed. Only a machine with the current epoch gets the one-time token of the node. */
  @Column('integer')
  incarnation: number;

  @Column('text')
  broker: BrokerDriver;

  @Column('integer')
  memory_mib: number;

  @Column('integer')
  cpus: number;

  @Column('integer')
  disk_gib: number;

  @Column('integer', { array: true })
  ports: number[];

  /** The node must be alone on its machine. */
  @Column('boolean')
  is_dedicated: boolean;

  @Column('text', { default: 'present' })
  intent: 'present' | 'absent';

  /** As the machine reported last. */
  @Column('text', { default: 'pending' })
  state: Exclude<MachineNodeState, 'gone'>;

  @Column('text', { nullable: true })
  reason: string | null;

  /** The artifact that the agent of the node was started from, as the machine reported last. */
  @Column('text', { nullable: true })
  agent_sha256: string | null;

  @Column('timestamptz', { nullable: true })
  agent_since: Date | null;

  /** Seconds in which the machine reported, and this agent of the node did not. */
  @Column('real', { default: 0 })
  agent_unheard_seconds: number;

  @Column('timestamptz', { default: () => 'now()' })
  placed_at: Date;

  /** The name of the node that has moved to another machine. This row is what is left here, and has a name of its own. */
  @Column('text', { nullable: true })
  former_name: string | null;

  /** Moves to another machine that have failed since the last drain. */
  @Column('integer', { default: 0 })
  failed_moves: number;

  /** When the next move may start. Null: no move has failed. */
  @Column('timestamptz', { nullable: true })
  move_due_at: Date | null;

  /** Why the last move failed. */
  @Column('text', { nullable: true })
  move_error: string | null;
}
