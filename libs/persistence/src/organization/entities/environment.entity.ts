import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DivisionId, EnvironmentId, TenantId } from '@libs/domain';
import { EMPTY_AS_NULL } from '../../empty-as-null.js';

/** An environment of a division. Rows of deleted environments stay, because audit and invoices need their names. */
@Entity('environments')
export class Environment {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: EnvironmentId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  division_id: DivisionId;

  @Column('text')
  name: string;

  @Column('text', EMPTY_AS_NULL)
  description: string | null;

  @Column('boolean', { default: false })
  protected: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @Column('timestamptz', { nullable: true })
  deleted_at: Date | null;
}
