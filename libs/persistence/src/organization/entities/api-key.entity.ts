import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ApiKeyId, DivisionId, RoleId, TenantId, UserId } from '@libs/domain';

/** An API key of a user in a tenant. The secret itself is not stored. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: ApiKeyId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('text')
  name: string;

  @Column('bytea')
  secret_hash: Buffer;

  @Column('bigint')
  role_id: RoleId;

  /** Null for a key of the whole tenant. */
  @Column('bigint', { nullable: true })
  division_id: DivisionId | null;

  @Column('bigint')
  user_id: UserId;

  @Column('boolean', { default: false })
  validate_ip: boolean;

  @Column('text', { array: true, default: '{}' })
  allowed_ips: string[];

  @Column('timestamptz')
  expiry_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** The secret from before the last rotation. */
  @Column('bytea', { nullable: true })
  previous_secret_hash: Buffer | null;

  @Column('timestamptz', { nullable: true })
  previous_until: Date | null;
}
