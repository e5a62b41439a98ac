import type { DnsDriver } from '@libs/domain';
import type { ResourceTags } from '../cloud-provider.js';
import type { NameTarget } from './name-target.js';

/** A name that this installation has published. */
export interface PublishedName {
  fqdn: string;
  /** `active`: the server of the zone has the name. Its secondary servers can be later. */
  state: 'pending' | 'active' | 'deleting';
  /** Whole milliseconds, 1 or more, until the state is worth another look. */
  poll_after_ms: number;
}

/**
 * The names of deployments. The zone belongs to the installation, not to a cloud or to the account of a customer. So one driver
 * serves all deployments, whatever their cloud.
 *
 * Rules for a driver:
 * - It changes and removes only what this installation has published.
 * - No call waits for a slow state: `ensure` and `destroy` start a change, `describe` reports the state.
 * - Every failure is a CloudError. Its code decides whether the operation waits, is held or fails (cloud-error.ts).
 * - An aborted call rejects with the reason of the signal. The call may have had its effect.
 */
export interface DnsProvider {
  readonly driver: DnsDriver;

  /**
   * Publishes the name, or changes its targets: afterwards it leads to these and to no others. Idempotent, also after a lost reply. A name that somebody else has published is
   * refused with `invalid`. A name in deletion is returned with state 'deleting' and is not published again.
   */
  ensure(fqdn: string, target: NameTarget, owner: ResourceTags, signal?: AbortSignal): Promise<PublishedName>;

  /** Those of the names that this installation has published, by name. A name of somebody else is missing in the result. */
  describe(fqdns: readonly string[], signal?: AbortSignal): Promise<Map<string, PublishedName>>;

  /** Starts the removal. Does nothing for a name that this installation has not published. */
  destroy(fqdn: string, signal?: AbortSignal): Promise<void>;
}
