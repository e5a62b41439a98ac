import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { OperatorActionId, TenantId } from '@libs/domain';

/** A command that an operator ran. */
@Entity('operator_actions')
export class OperatorAction {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: OperatorActionId;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('text')
  operator: string;

  @Column('text')
  verb: string;

  @Column('text')
  subject: string;

  @Column('bigint', { nullable: true })
  tenant_id: TenantId | null;

  @Column('jsonb', { default: {} })
  detail: object;
}
