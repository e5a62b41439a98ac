import { isIP } from 'node:net';
import type { Change, ResourceRecordSet, Route53, RRType } from '@aws-sdk/client-route-53';
import { causeOf, clientOptions, limitCalls } from '../../aws/aws-clients.js';
import { codeOf } from '../../aws/aws-refusal.js';
import { CloudError } from '../../cloud-error.js';
import type { ResourceTags } from '../../cloud-provider.js';
import type { DnsProvider, PublishedName } from '../dns-provider.js';
import { targetsOf, type NameTarget } from '../name-target.js';

/** Clients see a change after this time, in seconds. */
const TTL_SECONDS = 60;
const SETTLED_LOOK_MS = 60_000;
/** Route 53 has one endpoint for all regions. Its calls are signed for this one. */
const REGION = 'us-east-1';
/** The types that a name of a deployment has. Records of other types at the name belong to the operator. */
const PUBLISHED_TYPES: readonly (string | undefined)[] = ['A', 'AAAA', 'CNAME'];
/** More records than a name of a deployment, its mark and names between them have. */
const AT_A_NAME = 50;
/** Another worker can change the records between the question and the change. */
const ATTEMPTS = 4;
/** Names are few, and a call that AWS throttles waits as every call of a cloud. */
const WITHOUT_LIMIT = { take: async () => undefined };

export interface Route53Options {
  /** The id of the hosted zone. */
  zoneId: string;
  /** The domain of the hosted zone. */
  zone: string;
  installation: string;
  /** Undefined: the SDK searches its usual places. */
  keys?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** For tests and private endpoints. Undefined: AWS itself. */
  endpoint?: string | undefined;
}

/**
 * Names in a hosted zone of Route 53. A text record at `_landlord.<name>` says which installation published the name. Route 53
 * has no conditions for changes, so the driver reads first. It removes a record with the values that it has read: if
 * somebody has changed them, Route 53 refuses the whole change, and the driver reads again.
 */
export class Route53Dns implements DnsProvider {
  readonly driver = 'route53';
  private client: Promise<Route53> | null = null;

  constructor(private readonly options: Route53Options) {}

  /** @throws CloudError `invalid` for a name outside of the zone, and for a name that somebody else has published */
  async ensure(fqdn: string, target: NameTarget, _owner: ResourceTags, signal?: AbortSignal): Promise<PublishedName> {
    signal?.throwIfAborted();
    this.requireInZone(fqdn);
    const recordSets = recordSetsOf(fqdn, targetsOf(fqdn, target));
    await this.changeUntilDone(signal, async () => {
      const { isOwn, isFree, published } = await this.look(fqdn, signal);
      if (!isOwn && !isFree)
        throw new CloudError(
          { code: 'invalid' },
          `the name ${fqdn} exists in the zone, and this installation has not published it`,
        );
      const others = published.filter((one) => !recordSets.some(({ Type }) => Type === one.Type));
      const isThere = recordSets.every((one) => published.some((other) => isSame(other, one)));
      if (isOwn && others.length === 0 && isThere) return [];
      const sets = [this.mark(fqdn), ...recordSets];
      return [...others.map(removal), ...sets.map((set) => change('UPSERT', set))];
    });
    return active(fqdn);
  }

  async describe(fqdns: readonly string[], signal?: AbortSignal): Promise<Map<string, PublishedName>> {
    signal?.throwIfAborted();
    const names = new Map<string, PublishedName>();
    for (const fqdn of fqdns) if ((await this.look(fqdn, signal)).isOwn) names.set(fqdn, active(fqdn));
    return names;
  }

  async destroy(fqdn: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await this.changeUntilDone(signal, async () => {
      const { isOwn, published, marks } = await this.look(fqdn, signal);
      return isOwn ? [...published, ...marks].map(removal) : [];
    });
  }

  /** Reads and changes until nobody has changed the records in between. */
  private async changeUntilDone(signal: AbortSignal | undefined, plan: () => Promise<Change[]>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const Changes = await plan();
      if (Changes.length === 0) return;
      try {
        const input = { HostedZoneId: this.options.zoneId, ChangeBatch: { Changes } };
        await this.ask(signal, (client) => client.changeResourceRecordSets(input, signal && { abortSignal: signal }));
        return;
      } catch (error) {
        if (attempt === ATTEMPTS || codeOf(causeOf(error)) !== 'InvalidChangeBatch') throw error;
      }
    }
  }

  /** The records at the name and at its mark, which Route 53 lists next to each other: one answer cannot be half of a change. */
  private async look(fqdn: string, signal: AbortSignal | undefined) {
    const input = { HostedZoneId: this.options.zoneId, StartRecordName: fqdn, MaxItems: AT_A_NAME };
    const { ResourceRecordSets } = await this.ask(signal, (client) =>
      client.listResourceRecordSets(input, signal && { abortSignal: signal }),
    );
    if (ResourceRecordSets === undefined)
      throw new CloudError({ code: 'unavailable' }, 'AWS route53:ListResourceRecordSets: the answer has no records');
    const records = ResourceRecordSets.filter((one) => isAt(one, fqdn));
    const marks = ResourceRecordSets.filter((one) => isAt(one, markName(fqdn)));
    return {
      marks: marks.filter(({ Type }) => Type === 'TXT'),
      isOwn: marks.some((one) => isSame(one, this.mark(fqdn))),
      isFree: marks.length === 0 && records.length === 0,
      published: records.filter(({ Type }) => PUBLISHED_TYPES.includes(Type)),
    };
  }

  private async ask<T>(signal: AbortSignal | undefined, call: (client: Route53) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    this.client ??= this.open();
    try {
      return await call(await this.client);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  private async open(): Promise<Route53> {
    const { Route53: Client } = await import('@aws-sdk/client-route-53');
    const { keys, endpoint } = this.options;
    const client = new Client({ ...clientOptions({ endpoint }, REGION), ...(keys && { credentials: keys }) });
    limitCalls({ permits: WITHOUT_LIMIT }, client, 'route53', { account: null, region: REGION });
    return client;
  }

  private mark(fqdn: string): ResourceRecordSet {
    return recordSet(markName(fqdn), 'TXT', `"heritage=landlord,installation=${this.options.installation}"`);
  }

  private requireInZone(fqdn: string): void {
    const { zone } = this.options;
    if (`.${fqdn.toLowerCase()}`.endsWith(`.${zone.toLowerCase()}`)) return;
    throw new CloudError({ code: 'invalid' }, `the name ${fqdn} is not in the zone ${zone}`);
  }
}

const markName = (fqdn: string): string => `_landlord.${fqdn.toLowerCase()}`;

const ADDRESS_TYPES: Record<number, RRType> = { 4: 'A', 6: 'AAAA' };
const isAt = ({ Name = '' }: ResourceRecordSet, name: string): boolean =>
  Name.replace(/\.$/, '').toLowerCase() === name.toLowerCase();

const typeOf = (target: string): RRType => ADDRESS_TYPES[isIP(target)] ?? 'CNAME';

const recordSet = (Name: string, Type: RRType, ...values: string[]): ResourceRecordSet => ({
  ...{ Name, Type, TTL: TTL_SECONDS, ResourceRecords: values.map((Value) => ({ Value })) },
});

/** A record set for each type of the targets. */
const recordSetsOf = (fqdn: string, targets: readonly string[]): ResourceRecordSet[] =>
  [...new Set(targets.map(typeOf))].map((type) =>
    recordSet(fqdn, type, ...targets.filter((target) => typeOf(target) === type)),
  );

const change = (Action: 'UPSERT' | 'DELETE', set: ResourceRecordSet): Change => ({ Action, ResourceRecordSet: set });

/** Removes the record only if it still has these values. */
const removal = (set: ResourceRecordSet): Change => change('DELETE', set);

const valuesOf = ({ ResourceRecords = [] }: ResourceRecordSet): string =>
  ResourceRecords.map(({ Value = '' }) => Value.replace(/\.$/, '').toLowerCase())
    .sort()
    .join(' ');

const isSame = (one: ResourceRecordSet, other: ResourceRecordSet): boolean =>
  one.Type === other.Type && valuesOf(one) === valuesOf(other);

const active = (fqdn: string): PublishedName => ({ fqdn, state: 'active', poll_after_ms: SETTLED_LOOK_MS });
