import type { DnsProvider, PublishedName } from './dns-provider.js';

/** Nothing changes it. */
const POLL_AFTER_MS = 60_000;

/**
 * Publishes no names: clients use the addresses. A deployment that was ordered with a name has nothing to wait for, and
 * nothing is left to remove.
 */
export class NoDns implements DnsProvider {
  readonly driver = 'none';

  async ensure(fqdn: string): Promise<PublishedName> {
    return { fqdn, state: 'active', poll_after_ms: POLL_AFTER_MS };
  }

  async describe(): Promise<Map<string, PublishedName>> {
    return new Map();
  }

  async destroy(): Promise<void> {}
}
