import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DivisionId, TenantId } from '@libs/domain';
import { EMPTY_AS_NULL } from '../../empty-as-null.js';

/** A division of a tenant. Rows of deleted divisions stay, because audit and invoices need their names. */
@Entity('divisions')
export class Division {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: DivisionId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('text')
  name: string;

  @Column('text', EMPTY_AS_NULL)
  description: string | null;

  @Column('text', EMPTY_AS_NULL)
  email: string | null;

  @Column('boolean', { default: false })
  protected: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @Column('timestamptz', { nullable: true })
  deleted_at: Date | null;
}
