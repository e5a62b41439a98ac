import type { AgentRolloutId } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An attempt to change all machines of a cell to one program of the agents. A cell has at most one that is running. */
@Entity('agent_rollouts')
export class AgentRollout {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id: AgentRolloutId;

  @Column('text')
  cell: string;

  /** The artifact of the agents. */
  @Column('text')
  sha256: string;

  /** `stopped`: two machines went back, or an operator stopped the roll-out. Machines that have changed keep the program. */
  @Column('text', { default: 'running' })
  state: 'running' | 'stopped' | 'done';

  /** Why it was stopped. */
  @Column('text', { nullable: true })
  reason: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  started_at: Date;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;
}
