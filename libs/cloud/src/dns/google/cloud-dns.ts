import { isIP } from 'node:net';
import { CloudError } from '../../cloud-error.js';
import type { ResourceTags } from '../../cloud-provider.js';
import type { TokenSource } from '../../gcp/accounts/gcp-accounts.js';
import { cloudErrorOf, faultOf } from '../../gcp/gcp-refusal.js';
import { askGoogle } from '../../gcp/google-request.js';
import type { DnsProvider, PublishedName } from '../dns-provider.js';
import { targetsOf, type NameTarget } from '../name-target.js';

const GOOGLE = 'https://dns.googleapis.com';
/** Clients see a change after this time, in seconds. */
const TTL_SECONDS = 60;
const SETTLED_LOOK_MS = 60_000;
/** The types that a name of a deployment has. Records of other types at the name belong to the operator. */
const PUBLISHED_TYPES: readonly string[] = ['A', 'AAAA', 'CNAME'];
/** Another worker can change the records between the question and the change. */
const ATTEMPTS = 4;
/** What Cloud DNS says when the records are no longer those that the driver has read. */
const CHANGED = /^(conditionNotMet|alreadyExists)$/;

/** The records of one type at a name, as Cloud DNS has them. */
interface RecordSet {
  name: string;
  type: string;
  ttl?: number;
  rrdatas?: string[];
}

interface Change {
  additions: RecordSet[];
  deletions: RecordSet[];
}

export interface CloudDnsOptions {
  /** The project of the zone. */
  project: string;
  /** The name of the managed zone. */
  managedZone: string;
  /** The domain of the managed zone. */
  zone: string;
  installation: string;
  operator: TokenSource;
  /** For tests and private endpoints. Undefined: Google itself. */
  endpoint?: string | undefined;
}

/**
 * Names in a managed zone of Cloud DNS. A text record at `_landlord.<name>` says which installation published the name. Cloud DNS makes a
 * change only as a whole, and only if the records that it removes still have the values that the driver has read: the removal of the
 * mark is part of each change, so that nobody else can take the name in between.
 */
export class CloudDns implements DnsProvider {
  readonly driver = 'clouddns';

  constructor(private readonly options: CloudDnsOptions) {}

  /** @throws CloudError `invalid` for a name outside of the zone, and for a name that somebody else has published */
  async ensure(fqdn: string, target: NameTarget, _owner: ResourceTags, signal?: AbortSignal): Promise<PublishedName> {
    signal?.throwIfAborted();
    this.requireInZone(fqdn);
    const recordSets = recordSetsOf(fqdn, targetsOf(fqdn, target));
    await this.changeUntilDone(signal, async () => {
      const { isOwn, isFree, published, marks } = await this.look(fqdn, signal);
      if (!isOwn && !isFree)
        throw new CloudError(
          { code: 'invalid' },
          `the name ${fqdn} exists in the zone, and this installation has not published it`,
        );
      const isThere = recordSets.every((one) => published.some((other) => isSame(other, one)));
      if (isOwn && isThere && published.length === recordSets.length) return null;
      return { additions: [this.mark(fqdn), ...recordSets], deletions: [...marks, ...published] };
    });
    return active(fqdn);
  }

  async describe(fqdns: readonly string[], signal?: AbortSignal): Promise<Map<string, PublishedName>> {
    signal?.throwIfAborted();
    const names = new Map<string, PublishedName>();
    for (const fqdn of fqdns) {
      const marks = await this.recordsAt(markName(fqdn), signal);
      if (marks.some((one) => isSame(one, this.mark(fqdn)))) names.set(fqdn, active(fqdn));
    }
    return names;
  }

  async destroy(fqdn: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await this.changeUntilDone(signal, async () => {
      const { isOwn, published, marks } = await this.look(fqdn, signal);
      return isOwn ? { additions: [], deletions: [...published, ...marks] } : null;
    });
  }

  /** Reads and changes until nobody has changed the records in between. */
  private async changeUntilDone(signal: AbortSignal | undefined, plan: () => Promise<Change | null>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const change = await plan();
      if (change === null) return;
      try {
        await this.ask('POST', 'changes', change, signal);
        return;
      } catch (error) {
        if (attempt === ATTEMPTS || !CHANGED.test(faultOf(error)?.reason ?? '')) throw error;
      }
    }
  }

  private async look(fqdn: string, signal: AbortSignal | undefined) {
    const records = await this.recordsAt(fqdn, signal);
    const marks = (await this.recordsAt(markName(fqdn), signal)).filter(({ type }) => type === 'TXT');
    return {
      marks,
      isOwn: marks.some((one) => isSame(one, this.mark(fqdn))),
      isFree: marks.length === 0 && records.length === 0,
      published: records.filter(({ type }) => PUBLISHED_TYPES.includes(type)),
    };
  }

  private async recordsAt(name: string, signal: AbortSignal | undefined): Promise<RecordSet[]> {
    const query = new URLSearchParams({ name: absolute(name) }).toString();
    const answer = await this.ask<{ rrsets?: RecordSet[] }>('GET', `rrsets?${query}`, undefined, signal);
    if (answer.rrsets === undefined)
      throw new CloudError({ code: 'unavailable' }, 'Google GET rrsets: the answer has no records');
    return answer.rrsets;
  }

  private async ask<T>(method: string, path: string, body: object | undefined, signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    const { endpoint = GOOGLE, project, managedZone, operator } = this.options;
    const url = `${endpoint}/dns/v1/projects/${project}/managedZones/${managedZone}/${path}`;
    const action = `${method} ${path.split('?')[0]}`;
    const answer = await askGoogle({ method, url, token: await operator.token(), body, action, signal });
    if (answer.fault) throw cloudErrorOf(answer.fault, { action, isOfCustomer: false });
    return answer.body as T;
  }

  private mark(fqdn: string): RecordSet {
    return recordSet(markName(fqdn), 'TXT', `"heritage=landlord,installation=${this.options.installation}"`);
  }

  private requireInZone(fqdn: string): void {
    const { zone } = this.options;
    if (`.${fqdn.toLowerCase()}`.endsWith(`.${zone.toLowerCase()}`)) return;
    throw new CloudError({ code: 'invalid' }, `the name ${fqdn} is not in the zone ${zone}`);
  }
}

const markName = (fqdn: string): string => `_landlord.${fqdn}`;

/** Cloud DNS writes every name with its last dot. */
const absolute = (name: string): string => `${name.toLowerCase().replace(/\.$/, '')}.`;

const ADDRESS_TYPES: Record<number, string> = { 4: 'A', 6: 'AAAA' };

const typeOf = (target: string): string => ADDRESS_TYPES[isIP(target)] ?? 'CNAME';

const recordSet = (name: string, type: string, ...rrdatas: string[]): RecordSet => ({
  ...{ name: absolute(name), type, ttl: TTL_SECONDS, rrdatas },
});

/** A record set for each type of the targets. */
const recordSetsOf = (fqdn: string, targets: readonly string[]): RecordSet[] =>
  [...new Set(targets.map(typeOf))].map((type) => {
    const values = targets.filter((target) => typeOf(target) === type);
    return recordSet(fqdn, type, ...(type === 'CNAME' ? values.map(absolute) : values));
  });

const valuesOf = ({ rrdatas = [] }: RecordSet): string =>
  rrdatas
    .map((value) => value.toLowerCase())
    .sort()
    .join(' ');

const isSame = (one: RecordSet, other: RecordSet): boolean =>
  one.type === other.type && valuesOf(one) === valuesOf(other);

const active = (fqdn: string): PublishedName => ({ fqdn, state: 'active', poll_after_ms: SETTLED_LOOK_MS });
