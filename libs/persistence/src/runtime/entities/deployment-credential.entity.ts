import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeploymentId } from '@libs/domain';

/** The credentials of the clients of a deployment. */
@Entity('deployment_credentials')
export class DeploymentCredential {
  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  @Column('text')
  username: string;

  /** Sealed. */
  @Column('text')
  password: string;

  @Column('integer', { default: 1 })
  version: number;

  /** Sealed. The password that a rotation distributes now. */
  @Column('text', { nullable: true })
  next_password: string | null;

  /** Sealed. The password before the last rotation, while clients may still use it. */
  @Column('text', { nullable: true })
  previous_password: string | null;

  /** Its end. During a rotation with an overlap: when nodes with the next password drop the current one at the latest. */
  @Column('timestamptz', { nullable: true })
  previous_until: Date | null;
}
