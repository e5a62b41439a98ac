import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { CertificateAuthorityId, DeploymentCertificateId, DeploymentId } from '@libs/domain';

/** A certificate of a deployment. */
@Entity('deployment_certificates')
export class DeploymentCertificate {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: DeploymentCertificateId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('bigint')
  authority_id: CertificateAuthorityId;

  @Column('text')
  serial: string;

  @Column('text', { array: true })
  names: string[];

  @Column('text')
  certificate: string;

  /** Sealed. Null unless the certificate is `next` or `active`. */
  @Column('text', { nullable: true })
  private_key: string | null;

  @Column('text')
  status: 'next' | 'active' | 'replaced' | 'withdrawn';

  @Column('timestamptz')
  not_before: Date;

  @Column('timestamptz')
  not_after: Date;

  @Column('timestamptz', { default: () => 'now()' })
  issued_at: Date;

  @Column('timestamptz', { nullable: true })
  expiry_told_at: Date | null;
}
