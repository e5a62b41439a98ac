import type { AgentRolloutId, MachineId, Processor } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A host that runs nodes. Its machine agent reports the facts; the operator gives the place and removes the machine. */
@Entity('machines')
export class Machine {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: MachineId;

  /** The cell whose gateway the machine joined. Only this cell places nodes on it. */
  @Column('text')
  cell: string;

  @Column('text')
  region: string;

  @Column('text')
  zone: string;

  @Column('text')
  hostname: string;

  /** The address at which clients and other machines reach its nodes. */
  @Column('text')
  address: string;

  @Column('text')
  processor: Processor;

  @Column('integer')
  cpus: number;

  /** MiB that nodes may use in all. */
  @Column('integer')
  memory_mib: number;

  /** GiB that nodes may use in all. */
  @Column('integer')
  disk_gib: number;

  /** `draining`: gets no new nodes. `removed`: its credential is refused, and its nodes are lost. */
  @Column('text', { default: 'active' })
  status: 'active' | 'draining' | 'removed';

  @Column('bytea')
  credential_hash: Buffer;

  /** The machine has used its credential, so its token is invalid. */
  @Column('boolean', { default: false })
  credential_confirmed: boolean;

  @Column('text')
  agent_version: string;

  /** The artifact that the machine agent runs from. Null: it does not run from an artifact, or has not said so yet. */
  @Column('text', { nullable: true })
  agent_sha256: string | null;

  /** The artifact of the agents that the machine must run. Null: the default of the cell. */
  @Column('text', { nullable: true })
  wanted_agent: string | null;

  /** The roll-out that asked the machine last. */
  @Column('integer', { nullable: true })
  wanted_attempt: AgentRolloutId | null;

  /** When that roll-out asked the machine. */
  @Column('timestamptz', { nullable: true })
  wanted_at: Date | null;

  /** Why the machine went back to the earlier program in that roll-out. */
  @Column('text', { nullable: true })
  agent_refusal: string | null;

  /** Of its document. Grows with each change to its nodes. */
  @Column('bigint', { default: 1 })
  generation: number;

  /** The generation that its last status is about. */
  @Column('bigint', { default: 0 })
  observed_generation: number;

  @Column('timestamptz', { default: () => 'now()' })
  joined_at: Date;

  @Column('timestamptz', { nullable: true })
  last_seen_at: Date | null;

  @Column('timestamptz', { nullable: true })
  removed_at: Date | null;

  /** The resource name of the only node that the machine exists for. Null: the machine takes any node. */
  @Column('text', { nullable: true })
  reserved_for: string | null;
}
