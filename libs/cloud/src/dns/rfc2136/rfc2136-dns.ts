import { CloudError } from '../../cloud-error.js';
import type { DnsProvider, PublishedName } from '../dns-provider.js';
import { targetsOf, type NameTarget } from '../name-target.js';
import type { ResourceTags } from '../../cloud-provider.js';
import { DnsExchange, type Rfc2136Options } from './dns-exchange.js';
import { OPCODES, RCODES, recordOf, removal, textRecord, TYPES, unused, type DnsRecord } from './dns-message.js';
import { withConnection } from './dns-server.js';

export type { Rfc2136Options };

/** Clients see a change after this time, in seconds. */
const TTL_SECONDS = 60;
const SETTLED_LOOK_MS = 60_000;
/** The types that a name of a deployment has. Records of other types at the name belong to the operator. */
const PUBLISHED_TYPES = [TYPES.A, TYPES.AAAA, TYPES.CNAME];

/**
 * Names in a zone on the operator's DNS server, by dynamic updates (RFC 2136) over TCP, signed with a shared key (RFC 8945).
 * A text record at `_landlord.<name>` says which installation published the name. Each update names this record as its
 * condition, and the server checks the condition in the transaction of the update.
 */
export class Rfc2136Dns implements DnsProvider {
  readonly driver = 'rfc2136';

  constructor(private readonly options: Rfc2136Options) {}

  /** @throws CloudError `invalid` for a name outside of the zone, and for a name that somebody else has published */
  async ensure(fqdn: string, target: NameTarget, _owner: ResourceTags, signal?: AbortSignal): Promise<PublishedName> {
    this.requireInZone(fqdn);
    const published = targetsOf(fqdn, target).map((one) => recordOf(fqdn, one, TTL_SECONDS));
    await this.exchange(signal, async (exchange) => {
      const change = [...PUBLISHED_TYPES.map((type) => removal(fqdn, type)), ...published];
      const isDone =
        (await this.update(exchange, [this.mark(fqdn, 0)], change)) ||
        (await this.update(exchange, unusedNames(fqdn), [this.mark(fqdn, TTL_SECONDS), ...published])) ||
        // Another worker published the name between the two updates.
        (await this.update(exchange, [this.mark(fqdn, 0)], change));
      if (isDone) return;
      const reason = `the name ${fqdn} exists in the zone, and this installation has not published it`;
      throw new CloudError({ code: 'invalid' }, reason);
    });
    return active(fqdn);
  }

  async describe(fqdns: readonly string[], signal?: AbortSignal): Promise<Map<string, PublishedName>> {
    const names = new Map<string, PublishedName>();
    if (fqdns.length === 0) return names;
    await this.exchange(signal, async (exchange) => {
      for (const fqdn of fqdns) if (await this.isMarked(exchange, fqdn)) names.set(fqdn, active(fqdn));
    });
    return names;
  }

  async destroy(fqdn: string, signal?: AbortSignal): Promise<void> {
    const change = [...PUBLISHED_TYPES.map((type) => removal(fqdn, type)), removal(markName(fqdn), TYPES.TXT)];
    await this.exchange(signal, (exchange) => this.update(exchange, [this.mark(fqdn, 0)], change));
  }

  /** Whether the conditions were true and the server has made the change. */
  private async update(
    exchange: DnsExchange,
    conditions: readonly DnsRecord[],
    changes: readonly DnsRecord[],
  ): Promise<boolean> {
    const question = { name: this.options.zone, type: TYPES.SOA };
    const request = { opcode: OPCODES.update, question, conditions, changes };
    const { rcode } = await exchange.ask(request, [RCODES.YXDOMAIN, RCODES.YXRRSET, RCODES.NXRRSET]);
    return rcode === RCODES.NOERROR;
  }

  private async isMarked(exchange: DnsExchange, fqdn: string): Promise<boolean> {
    const mark = this.mark(fqdn, 0);
    const question = { name: mark.name, type: TYPES.TXT };
    const { answers } = await exchange.ask({ opcode: OPCODES.query, question }, [RCODES.NXDOMAIN]);
    return answers.some(({ name, type, data }) => name === mark.name && type === TYPES.TXT && data.equals(mark.data));
  }

  /** As a condition, the record has no time. */
  private mark(fqdn: string, ttl: number): DnsRecord {
    return textRecord(markName(fqdn), `heritage=landlord,installation=${this.options.installation}`, ttl);
  }

  private exchange<T>(signal: AbortSignal | undefined, work: (exchange: DnsExchange) => Promise<T>): Promise<T> {
    const { server, timeoutMs } = this.options;
    return withConnection(server, { signal, timeoutMs }, (ask) => work(new DnsExchange(this.options, ask)));
  }

  private requireInZone(fqdn: string): void {
    const { zone } = this.options;
    if (`.${fqdn.toLowerCase()}`.endsWith(`.${zone.toLowerCase()}`)) return;
    throw new CloudError({ code: 'invalid' }, `the name ${fqdn} is not in the zone ${zone}`);
  }
}

const markName = (fqdn: string): string => `_landlord.${fqdn.toLowerCase()}`;

/** Nobody has a record at either name. */
const unusedNames = (fqdn: string): DnsRecord[] => [fqdn, markName(fqdn)].map((name) => unused(name, TYPES.ANY));

const active = (fqdn: string): PublishedName => ({ fqdn, state: 'active', poll_after_ms: SETTLED_LOOK_MS });
