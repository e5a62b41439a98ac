import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { CertificateAuthorityId } from '@libs/domain';

/** A certificate authority of the installation. It signs the certificates of deployments. */
@Entity('certificate_authorities')
export class CertificateAuthority {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: CertificateAuthorityId;

  /** Upper-case hexadecimal, as other tools print it. */
  @Column('text')
  serial: string;

  @Column('text')
  certificate: string;

  /** Sealed. */
  @Column('text')
  private_key: string;

  @Column('timestamptz')
  not_before: Date;

  @Column('timestamptz')
  not_after: Date;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
