import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '@libs/domain';

/** The last one-time code for an action on a protected resource. */
@Entity('protection_codes')
export class ProtectionCode {
  @PrimaryColumn('text')
  action_type: string;

  @PrimaryColumn('bigint')
  resource_id: number;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bytea')
  salt: Buffer;

  @Column('bytea')
  code_hash: Buffer;

  @Column('integer', { default: 0 })
  attempts: number;

  @Column('timestamptz', { default: () => 'now()' })
  requested_at: Date;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  used_at: Date | null;
}
