import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DeploymentId, PrivateConnectionId } from '@libs/domain';
import { EMPTY_AS_NULL } from '../../empty-as-null.js';

/**
 * A private connection from a network of the customer to a deployment. The kind defines the content of `spec` and
 * `attributes`.
 */
@Entity('private_connections')
export class PrivateConnection {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: PrivateConnectionId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('text')
  cell: string;

  @Column('text')
  kind: 'vpc_peering' | 'network_peering' | 'endpoint_service' | 'service_attachment';

  @Column('text')
  name: string;

  @Column('text', EMPTY_AS_NULL)
  remarks: string | null;

  /** As requested. */
  @Column('jsonb')
  spec: Record<string, unknown>;

  /** One of the contract's values for the kind. */
  @Column('text')
  status: string;

  /** The provider's reason for the status, if any. */
  @Column('text', { nullable: true })
  reason: string | null;

  /** The last report of the provider. Null before the first. */
  @Column('jsonb', { nullable: true })
  attributes: Record<string, unknown> | null;

  /** When the deletion was requested. */
  @Column('timestamptz', { nullable: true })
  deleting_at: Date | null;

  @Column('timestamptz', { nullable: true })
  deleted_at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  looked_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
