import { Injectable } from '@nestjs/common';
import type { CertificateAuthorityId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { SecretLocation } from '../../sealed-columns.js';
import { Secrets } from '../../secrets.js';
import { CertificateAuthority as CertificateAuthorityEntity } from '../entities/certificate-authority.entity.js';

/** A certificate with its private key. Both are PEM, the key is PKCS #8. */
export interface KeyedCertificate extends Pick<CertificateAuthorityEntity, 'serial' | 'certificate'> {
  privateKey: string;
  notBefore: Date;
  notAfter: Date;
}

/** A certificate authority that signs certificates. */
export interface CertificateAuthority extends KeyedCertificate {
  id: CertificateAuthorityId;
}

interface StoredAuthority extends Omit<CertificateAuthority, 'privateKey'> {
  private_key: string;
}

// Two workers can need the first authority at once. The one that waits finds the authority that the other created.
const LOCK = statement(
  'certificate_authority.lock',
  `select pg_advisory_xact_lock(hashtextextended('landlord.certificate_authority', 0))`,
);
// The newest authority that is valid longer than its certificates.
const FIND = statement(
  'certificate_authority.find',
  `select id, serial, certificate, private_key, not_before as "notBefore", not_after as "notAfter" from certificate_authorities
    where not_after > now() + make_interval(days => $1) order by id desc limit 1`,
);
const CLOCK = statement('certificate_authority.clock', 'select now() as now');

const keyLocation = (serial: string): SecretLocation => ({
  table: 'certificate_authorities',
  column: 'private_key',
  row: serial,
});

/** The certificate authorities of the installation: one, and a next one before the first expires. */
@Injectable()
export class CertificateAuthoritiesRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Blocks other creations of an authority until the transaction ends. */
  async lock(): Promise<void> {
    await this.database.execute(LOCK);
  }

  /** An authority that is valid for more than `days` days. Null when there is none. */
  async find(days: number): Promise<CertificateAuthority | null> {
    const [row] = await this.database.query<StoredAuthority>(FIND, [days]);
    if (!row) return null;
    const { private_key, ...rest } = row;
    return { ...rest, privateKey: this.secrets.open(keyLocation(row.serial), private_key) };
  }

  async insert(authority: KeyedCertificate): Promise<CertificateAuthority> {
    const { serial, certificate, privateKey, notBefore, notAfter } = authority;
    const sealed = this.secrets.seal(keyLocation(serial), privateKey);
    const { identifiers } = await this.database.repository(CertificateAuthorityEntity).insert({
      ...{ serial, certificate, private_key: sealed, not_before: notBefore, not_after: notAfter },
    });
    return { ...authority, id: Number(identifiers[0]?.['id']) };
  }

  /** The clock of the database. Issue times and checks both use it. */
  async now(): Promise<Date> {
    const [row] = await this.database.query<{ now: Date }>(CLOCK);
    return row?.now ?? new Date();
  }
}
