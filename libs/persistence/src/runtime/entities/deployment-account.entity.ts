import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeploymentId } from '@libs/domain';

/** The cloud account of the customer in which a deployment runs. */
@Entity('deployment_accounts')
export class DeploymentAccount {
  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  @Column('text')
  account_id: string;

  /** The customer's VPC at AWS. */
  @Column('text', { nullable: true })
  vpc_id: string | null;

  @Column('text', { nullable: true })
  vpc_cidr: string | null;

  /** What the provider says when it refuses Landlord in the account. Null: it accepts Landlord. */
  @Column('text', { nullable: true })
  refusal: string | null;

  /** Sealed. */
  @Column('text')
  access: string;
}
