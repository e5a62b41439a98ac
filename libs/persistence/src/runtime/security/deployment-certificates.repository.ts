import type { NodeCertificate } from '@libs/domain';
import { statement, type Database } from '../../database.js';
import type { SecretPlace } from '../../sealed-columns.js';
import type { Secrets } from '../../secrets.js';
import type { KeyedCertificate } from './certificate-authorities.repository.js';

/** Signed for a deployment, and not stored yet. */
export interface IssuedCertificate extends KeyedCertificate {
  authorityId: number;
  /** Domain names and IP addresses, in order. */
  names: string[];
}

/** The certificate that the nodes of a deployment show. */
export interface ActiveCertificate {
  id: number;
  serial: string;
  names: string[];
  notBefore: Date;
  notAfter: Date;
  issuedAt: Date;
  /** Whole days until it ends; negative after it. */
  daysLeft: number;
  /** PEM of whoever signed it. */
  caCertificate: string;
}

/** A certificate that ends soon, and of which nobody was told. */
export interface ExpiringCertificate {
  id: number;
  deploymentId: number;
  serial: string;
  notAfter: Date;
}

/** When a certificate is replaced by itself. */
export interface RenewalTerms {
  cell: string;
  baseDomain: string;
  days: number;
  retryHours: number;
  /** At most so many deployments. */
  limit: number;
}

/** What of a certificate the node's document needs; the key is sealed. */
export interface StoredNodeCertificate {
  serial: string;
  certificate: string;
  private_key: string;
}

/** Where clients are told to connect to. `d` and `r` are the deployment and its runtime. */
const namesOf = (baseDomain: string): string => `(select array_agg(distinct told.name order by told.name) from (
     select d.code || '.' || d.region || '.' || d.cloud || '.' || ${baseDomain} as name
     union all select r.load_balancer
     union all select unnest(array[n.public_ip, coalesce(n.private_ip, n.listen_address)]) from nodes n where n.deployment_id = r.deployment_id
   ) told where told.name <> '')`;

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
// One statement each, since of a status there is never more than one.
const RETIRE = statement(
  'certificate.retire',
  `update deployment_certificates set status = 'replaced', private_key = null
    where deployment_id = $1 and status = 'active'
      and exists (select from deployment_certificates where deployment_id = $1 and status = 'next')`,
);
const PROMOTE = statement(
  'certificate.promote',
  `update deployment_certificates set status = 'active' where deployment_id = $1 and status = 'next'`,
);
const WITHDRAW = statement(
  'certificate.withdraw',
  `update deployment_certificates set status = 'withdrawn', private_key = null where deployment_id = $1 and status = 'next'`,
);
// Whole ones only, since a rotation waits for every node; and not again at once after one that failed.
const DUE = statement(
  'certificate.due',
  `select r.deployment_id as id from deployment_runtimes r
     join deployments d on d.id = r.deployment_id
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
// A renewal that is under way may still be in time. Marked and told in one transaction, by one process.
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

const keyPlace = (serial: string): SecretPlace => ({
  table: 'deployment_certificates',
  column: 'private_key',
  row: serial,
});

/** Opened for the node's document. */
export function openNodeCertificate(secrets: Secrets, stored: StoredNodeCertificate): NodeCertificate {
  const { serial, certificate, private_key } = stored;
  return { certificate, private_key: secrets.open(keyPlace(serial), private_key) };
}

/** Certificates of deployments; private keys are sealed at rest. While one is replaced, all nodes are given the next. */
export class DeploymentCertificatesRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** What a certificate of the deployment is for: its domain, and every address that clients are told to connect to. */
  async names(deploymentId: number, baseDomain: string): Promise<string[]> {
    const [row] = await this.database.query<{ names: string[] }>(NAMES, [deploymentId, baseDomain]);
    return row?.names ?? [];
  }

  /** The one that its nodes show, or showed until their replacement began; null before the first. */
  async find(deploymentId: number): Promise<ActiveCertificate | null> {
    const [row] = await this.database.query<ActiveCertificate>(FIND, [deploymentId]);
    return row ?? null;
  }

  /** As the first, or the one after the active one. Whoever runs the step again keeps what is there: nodes may have it. */
  async insert(deploymentId: number, status: 'active' | 'next', issued: IssuedCertificate): Promise<void> {
    const { authorityId, serial, names, certificate, privateKey, notBefore, notAfter } = issued;
    const sealed = this.secrets.seal(keyPlace(serial), privateKey);
    const values = [deploymentId, authorityId, serial, names, certificate, sealed, status, notBefore, notAfter];
    await this.database.execute(INSERT, values);
  }

  /** Every node shows the next one: it is the active one from now on, and the key of the old one is forgotten. */
  async replace(deploymentId: number): Promise<void> {
    await this.database.execute(RETIRE, [deploymentId]);
    await this.database.execute(PROMOTE, [deploymentId]);
  }

  /** Forgets the next one. */
  async withdraw(deploymentId: number): Promise<void> {
    await this.database.execute(WITHDRAW, [deploymentId]);
  }

  /**
   * Deployments of the cell that need another: theirs ends within so many days, is not for all their names, or they have none.
   * Only such as are whole and idle, and of which no attempt failed within so many hours; the most urgent first.
   */
  async findDue({ cell, baseDomain, days, retryHours, limit }: RenewalTerms): Promise<number[]> {
    const values = [cell, baseDomain, days, retryHours, limit, null];
    return (await this.database.query<{ id: number }>(DUE, values)).map(({ id }) => id);
  }

  /** Whether the deployment is still among them; held until the transaction ends when its runtime is locked before. */
  async isDue(deploymentId: number, { cell, baseDomain, days, retryHours }: RenewalTerms): Promise<boolean> {
    const values = [cell, baseDomain, days, retryHours, 1, deploymentId];
    return (await this.database.query<{ id: number }>(DUE, values)).length === 1;
  }

  /** Marks those that end within so many days as told of; answers what is new. In the transaction that tells. */
  async markExpiring(cell: string, days: number): Promise<ExpiringCertificate[]> {
    return this.database.query<ExpiringCertificate>(MARK_EXPIRING, [cell, days]);
  }
}
