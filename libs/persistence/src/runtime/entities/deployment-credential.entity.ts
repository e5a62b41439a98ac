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
}
