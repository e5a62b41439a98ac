import { Injectable } from '@nestjs/common';
import type { NodeCertificate, CertificateAuthorityId, DeploymentId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { SecretLocation } from '../../sealed-columns.js';
import { Secrets } from '../../secrets.js';
import type { KeyedCertificate } from './certificate-authorities.repository.js';
import { DeploymentCertificate } from '../entities/deployment-certificate.entity.js';

/** A signed certificate that is not stored yet. */
export interface IssuedCertificate extends KeyedCertificate {
  authorityId: CertificateAuthorityId;
  /** Domain names and IP addresses, in order. */
  names: string[];
}

/** The certificate that the nodes of a deployment present. */
export interface ActiveCertificate extends Pick<DeploymentCertificate, 'id' | 'serial' | 'names'> {
  notBefore: Date;
  notAfter: Date;
  issuedAt: Date;
  /** Whole days until it expires. Negative after that. */
  daysLeft: number;
  /** PEM of the certificate authority that signed it. */
  caCertificate: string;
}

/** A certificate that expires soon and has no warning yet. */
export interface ExpiringCertificate extends Pick<DeploymentCertificate, 'id' | 'serial'> {
  deploymentId: DeploymentId;
  notAfter: Date;
}

/** Conditions for an automatic renewal. */
export interface RenewalTerms {
  cell: string;
  baseDomain: string;
  days: number;
  retryHours: number;
  /** Maximum number of deployments. */
  limit: number;
}

/** The parts of a certificate for the node's document. The key is sealed. */
export interface StoredNodeCertificate {
  serial: string;
  certificate: string;
  private_key: string;
}

/** The names and addresses that clients connect to. `d` is the deployment and `r` its runtime. */
const namesOf = (baseDomain: string): string => `(select array_agg(distinct names.name order by names.name) from (
     select case when d.subdomain_enabled then d.code || '.' || d.region || '.' || d.cloud || '.' || ${baseDomain} end as name
     union all select r.load_balancer
     union all select unnest(array[n.public_ip, coalesce(n.private_ip, n.listen_address)]) from nodes n where n.deployment_id = r.deployment_id
   ) names where names.name <> '')`;

const NAMES = statement(
  'certificate.names',
  `select ${namesOf('$2::text')} as names from deployment_runtimes r join deployments d on d.id = r.deployment_id where r.deployment_id = $1`,
);
const INSERT = statement(
  'certificate.insert',
  `insert into deployment_certificates (deployment_id, authority_id, serial, names, certificate, private_key, status, not_before, not_after)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (deployment_id, status) where status in ('next', 'active') do nothing`,
);
const FIND = statement(
  'certificate.find',
  `select t.id, t.serial, t.names, t.not_before as "notBefore", t.not_after as "notAfter", t.issued_at as "issuedAt",
          floor(extract(epoch from t.not_after - now()) / 86400)::int as "daysLeft", a.certificate as "caCertificate"
     from deployment_certificates t join certificate_authorities a on a.id = t.authority_id
    where t.deployment_id = $1 and t.status = 'active'`,
);
// Separate statements, because a deployment has at most one certificate per status.
const RETIRE = statement(
  'certificate.retire',
  `update deployment_certificates set status = 'replaced', private_key = null
    where deployment_id = $1 and status = 'active'
      and exists (select from deployment_certificates where deployment_id = $1 and status = 'next')`,
);
// Only deployments without a failed or silent node, because a rotation waits for every node. After a failed rotation there is a
// pause.
// `offset 0` forces a lookup of each deployment by its key. The planner would otherwise read the deployments of all cells.
const DUE = statement(
  'certificate.due',
  `select r.deployment_id as id from deployment_runtimes r
     cross join lateral (select x.* from deployments x where x.id = r.deployment_id offset 0) d
     left join deployment_certificates t on t.deployment_id = r.deployment_id and t.status = 'active'
    where r.cell = $1 and r.deleted_at is null and r.status in ('initialized', 'stopped')
      and (t.id is null or t.not_after < now() + make_interval(days => $3) or not t.names @> ${namesOf('$2::text')})
      and exists (select from nodes n where n.deployment_id = r.deployment_id)
      and not exists (select from nodes n where n.deployment_id = r.deployment_id and (n.last_seen_at is null or n.unreachable_since is not null))
      and not exists (select from operations o where o.deployment_id = r.deployment_id
            and ((o.changing and o.status in ('pending', 'running'))
              or (o.type = 'rotate_certificates' and o.status in ('failed', 'cancelled') and o.finished_at > now() - make_interval(hours => $4))))
      and ($6::bigint is null or r.deployment_id = $6)
    order by t.not_after nulls first, r.deployment_id limit $5`,
);
// A running renewal may still finish in time, so its certificate gets no warning. One process marks and reports it in one
// transaction.
const MARK_EXPIRING = statement(
  'certificate.mark_expiring',
  `with ending as materialized (
     select t.id from deployment_certificates t join deployment_runtimes r on r.deployment_id = t.deployment_id
      where r.cell = $1 and r.deleted_at is null and r.status <> 'deleting' and t.status = 'active' and t.expiry_told_at is null
        and t.not_after < now() + make_interval(days => $2)
        and not exists (select from operations o where o.deployment_id = t.deployment_id
              and o.type = 'rotate_certificates' and o.status in ('pending', 'running'))
      order by t.not_after limit 100 for no key update of t skip locked
   )
   update deployment_certificates t set expiry_told_at = now() from ending e where t.id = e.id
   returning t.id, t.deployment_id as "deploymentId", t.serial, t.not_after as "notAfter"`,
);

const keyLocation = (serial: string): SecretLocation => ({
  table: 'deployment_certificates',
  column: 'private_key',
  row: serial,
});

/** Decrypts the certificate for the node's document. */
export function openNodeCertificate(secrets: Secrets, stored: StoredNodeCertificate): NodeCertificate {
  const { serial, certificate, private_key } = stored;
  return { certificate, private_key: secrets.open(keyLocation(serial), private_key) };
}

/** Certificates of deployments. Private keys are stored sealed. During a replacement all nodes get the next certificate. */
@Injectable()
export class DeploymentCertificatesRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** The names for a certificate of the deployment: its domain, and every address that clients connect to. */
  async names(deploymentId: DeploymentId, baseDomain: string): Promise<string[]> {
    const [row] = await this.database.query<{ names: string[] }>(NAMES, [deploymentId, baseDomain]);
    return row?.names ?? [];
  }

  /** The certificate that the nodes present, or presented before a replacement started. Null before the first. */
  async find(deploymentId: DeploymentId): Promise<ActiveCertificate | null> {
    return this.database.first<ActiveCertificate>(FIND, [deploymentId]);
  }

  /**
   * Stores the first certificate, or the next one after the active one. A repeated step keeps the stored one, because nodes may
   * already have it.
   */
  async insert(deploymentId: DeploymentId, status: 'active' | 'next', issued: IssuedCertificate): Promise<void> {
    const { authorityId, serial, names, certificate, privateKey, notBefore, notAfter } = issued;
    const sealed = this.secrets.seal(keyLocation(serial), privateKey);
    const values = [deploymentId, authorityId, serial, names, certificate, sealed, status, notBefore, notAfter];
    await this.database.execute(INSERT, values);
  }

  /** Makes the next certificate the active one, after every node presents it. Deletes the key of the old one. */
  async replace(deploymentId: DeploymentId): Promise<void> {
    await this.database.execute(RETIRE, [deploymentId]);
    const next = { deployment_id: deploymentId, status: 'next' as const };
    await this.database.repository(DeploymentCertificate).update(next, { status: 'active' });
  }

  /** Deletes the next certificate. */
  async withdraw(deploymentId: DeploymentId): Promise<void> {
    const next = { deployment_id: deploymentId, status: 'next' as const };
    await this.database.repository(DeploymentCertificate).update(next, { status: 'withdrawn', private_key: null });
  }

  /**
   * Deployments of the cell that need a new certificate: it expires within `days`, lacks a name, or is missing. Only
   * deployments that are complete, idle, and without a failed attempt in the last `retryHours`. Most urgent first.
   */
  async findDue({ cell, baseDomain, days, retryHours, limit }: RenewalTerms): Promise<DeploymentId[]> {
    const values = [cell, baseDomain, days, retryHours, limit, null];
    return (await this.database.query<{ id: DeploymentId }>(DUE, values)).map(({ id }) => id);
  }

  /** Whether the deployment is still due. Stays true until the transaction ends if the caller has locked its runtime. */
  async isDue(deploymentId: DeploymentId, { cell, baseDomain, days, retryHours }: RenewalTerms): Promise<boolean> {
    const values = [cell, baseDomain, days, retryHours, 1, deploymentId];
    return (await this.database.query<{ id: DeploymentId }>(DUE, values)).length === 1;
  }

  /**
   * Marks certificates that expire within `days` as reported. Returns the new ones. Call it in the transaction that reports.
   */
  async markExpiring(cell: string, days: number): Promise<ExpiringCertificate[]> {
    return this.database.query<ExpiringCertificate>(MARK_EXPIRING, [cell, days]);
  }
}
