import {
  CloudError,
  type CloudRefusal,
  type DnsProvider,
  type NameTarget,
  type PublishedName,
  type ResourceTags,
} from '@libs/cloud';
import type { DnsDriver } from '@libs/domain';

/** Names in memory. A name is active at the second `ensure`, and is removed at once. All calls are recorded. */
export class FakeDns implements DnsProvider {
  /** The published names. */
  readonly names = new Map<string, PublishedName & { target: NameTarget; owner: ResourceTags }>();
  /** The calls that arrived, in order: the call and the name. */
  readonly calls: string[] = [];
  /** The refusal of the next call. Null: the call is accepted. */
  refuses: () => CloudRefusal | null = () => null;

  /** @param driver The name in the rows of its names. */
  constructor(readonly driver: DnsDriver = 'local') {}

  async ensure(fqdn: string, target: NameTarget, owner: ResourceTags): Promise<PublishedName> {
    this.note('ensure', fqdn);
    const known = this.names.get(fqdn);
    const published = { fqdn, target, owner, state: known ? 'active' : 'pending', poll_after_ms: 1_000 } as const;
    this.names.set(fqdn, published);
    return published;
  }

  async describe(fqdns: readonly string[]): Promise<Map<string, PublishedName>> {
    for (const fqdn of fqdns) this.note('describe', fqdn);
    return new Map([...this.names].filter(([fqdn]) => fqdns.includes(fqdn)));
  }

  async destroy(fqdn: string): Promise<void> {
    this.note('destroy', fqdn);
    this.names.delete(fqdn);
  }

  private note(call: string, fqdn: string): void {
    this.calls.push(`${call} ${fqdn}`);
    const refusal = this.refuses();
    if (refusal !== null) throw new CloudError(refusal, `the fake names refuse: ${refusal.code}`);
  }
}
