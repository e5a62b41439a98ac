import type { RefusedLogins } from '@libs/domain';

/** Addresses that are remembered, so that an attacker with many addresses uses no more memory. */
const MOST_ADDRESSES = 20;
/** A Supervisor that restarts must not announce a refusal of an earlier day again. */
const REMEMBERED_MS = 3_600_000;

/** The sign-ins that this node has refused because of their credentials. */
export class LoginRefusals {
  private readonly byAddress = new Map<string, RefusedLogins>();
  private count = 0;

  /** All refusals since the start of the process. */
  get total(): number {
    return this.count;
  }

  /** `address`: of the client. Null for a client of the node itself, which raises no alarm. */
  note(address: string | null): void {
    this.count += 1;
    if (address === null) return;
    const before = this.byAddress.get(address);
    // Deleted first, so that the address becomes the newest of the map.
    this.byAddress.delete(address);
    this.byAddress.set(address, { address, count: (before?.count ?? 0) + 1, at: Date.now() });
    const [oldest] = this.byAddress.keys();
    if (this.byAddress.size > MOST_ADDRESSES && oldest !== undefined) this.byAddress.delete(oldest);
  }

  /** The newest addresses of the last hour, oldest first. */
  recent(): RefusedLogins[] {
    const since = Date.now() - REMEMBERED_MS;
    return [...this.byAddress.values()].filter(({ at }) => at > since);
  }
}
