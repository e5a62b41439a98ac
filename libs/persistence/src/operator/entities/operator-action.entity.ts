import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A command that an operator ran. */
@Entity('operator_actions')
export class OperatorAction {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('text')
  operator: string;

  @Column('text')
  verb: string;

  @Column('text')
  subject: string;

  @Column('bigint', { nullable: true })
  tenant_id: number | null;

  @Column('jsonb', { default: {} })
  detail: object;
}
