import type { JoinPolicy, Plan } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An organization (C-8.1). */
@Entity('tenants')
export class Tenant {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  description: string;

  /** Organization contact address. */
  @Column('text', { default: '' })
  email: string;

  @Column('boolean', { default: false })
  protected: boolean;

  @Column('bigint', { name: 'owner_id' })
  ownerId: number;

  @Column('text')
  plan: Plan;

  /** Grants in addition to the plan of the tenant. */
  @Column('jsonb', { name: 'plan_overrides', default: {} })
  planOverrides: Record<string, unknown>;

  @Column('timestamptz', { name: 'plan_since' })
  planSince: Date;

  @Column('text', { name: 'email_domain', nullable: true })
  emailDomain: string | null;

  @Column('timestamptz', { name: 'email_domain_verified_at', nullable: true })
  emailDomainVerifiedAt: Date | null;

  @Column('text', { name: 'join_policy', default: 'invite_only' })
  joinPolicy: JoinPolicy;

  @Column('boolean', { name: 'block_external_invitations', default: false })
  blockExternalInvitations: boolean;

  @Column('boolean', { name: 'enforce_domain_only_invitations', default: false })
  enforceDomainOnlyInvitations: boolean;

  /** The external id for roles in cloud accounts of the tenant. It is not secret, and it is unique to the tenant. */
  @Column('uuid', { name: 'external_id' })
  externalId: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
