import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeploymentId } from '@libs/domain';

/** An address whose sign-ins the brokers of a deployment have refused within the last day. */
@Entity('login_refusals')
export class LoginRefusal {
  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  @PrimaryColumn('text')
  address: string;

  /** The newest refusal, by the clock of its node. */
  @Column('timestamptz')
  last_at: Date;

  /** When the channels were told. */
  @Column('timestamptz', { default: () => 'now()' })
  announced_at: Date;
}
