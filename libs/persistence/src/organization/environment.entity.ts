import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An environment of a division. Rows of deleted environments stay, because audit and invoices need their names. */
@Entity('environments')
export class Environment {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint', { name: 'tenant_id' })
  tenantId: number;

  @Column('bigint', { name: 'division_id' })
  divisionId: number;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  description: string;

  @Column('boolean', { default: false })
  protected: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
