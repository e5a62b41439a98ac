import type { JoinPolicy, Plan, TenantId, UserId } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { EMPTY_AS_NULL } from '../../empty-as-null.js';

/** An organization (C-8.1). */
@Entity('tenants')
export class Tenant {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: TenantId;

  @Column('text')
  name: string;

  @Column('text', EMPTY_AS_NULL)
  description: string | null;

  /** Organization contact address. */
  @Column('text', EMPTY_AS_NULL)
  email: string | null;

  @Column('boolean', { default: false })
  protected: boolean;

  @Column('bigint')
  owner_id: UserId;

  @Column('text')
  plan: Plan;

  /** Grants in addition to the plan of the tenant. */
  @Column('jsonb', { default: {} })
  plan_overrides: Record<string, unknown>;

  @Column('timestamptz', { default: () => 'now()' })
  plan_since: Date;

  @Column('text', { nullable: true })
  email_domain: string | null;

  @Column('timestamptz', { nullable: true })
  email_domain_verified_at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @Column('timestamptz', { nullable: true })
  deleted_at: Date | null;

  @Column('text', { default: 'invite_only' })
  join_policy: JoinPolicy;

  @Column('boolean', { default: false })
  block_external_invitations: boolean;

  @Column('boolean', { default: false })
  enforce_domain_only_invitations: boolean;

  /** The external id for roles in cloud accounts of the tenant. It is not secret, and it is unique to the tenant. */
  @Column('uuid', { default: () => 'gen_random_uuid()' })
  external_id: string;

  /** The address that protection codes still use for a day after a change. */
  @Column('text', { nullable: true })
  code_email: string | null;

  @Column('timestamptz', { nullable: true })
  code_email_until: Date | null;
}
