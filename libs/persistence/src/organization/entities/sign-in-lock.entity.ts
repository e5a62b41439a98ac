import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The failed sign-ins of one address or account. */
@Entity('sign_in_locks')
export class SignInLock {
  @PrimaryColumn('text')
  subject: string;

  @Column('integer')
  failures: number;

  @Column('timestamptz')
  since: Date;

  @Column('timestamptz', { nullable: true })
  locked_until: Date | null;
}
