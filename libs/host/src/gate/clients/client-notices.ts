import { defaultGateway } from '../../os/default-gateway.js';
import type { JsonLog, LogFields } from '../../os/json-log.js';

/** The log has at most one line of a kind in this time, in milliseconds. */
const LINE_EVERY_MS = 60_000;

const BEHIND_NAT =
  'This is the gateway of the network: behind NAT all clients have its address, and rules by address see one client.';

/** What a client did that the broker does not take. MQTT 3.1.1 has no answer with a reason, so the log has it. */
export type Refusal =
  | 'connection refused by the access rules'
  | 'shared subscription refused'
  | 'client closed: QoS 2 is not served'
  | 'client closed: the topic has a dot or a space'
  | 'publish dropped: the topic is reserved'
  | 'client closed: the packet is too large'
  | 'client closed';

/** Counts the refusals of a node, and logs one line of each kind a minute. */
export class ClientNotices {
  private readonly kinds = new Map<Refusal, { loggedAtMs: number; unlogged: number }>();
  private count = 0;

  constructor(
    private readonly log: Pick<JsonLog, 'warn'>,
    private readonly gateway: () => string | null = defaultGateway,
  ) {}

  /** Refused packets since the start of the process, without connections. */
  get packets(): number {
    return this.count;
  }

  /** A connection that no access rule allows. The gate counts it. */
  connection(address: string | null): void {
    const isGateway = address !== null && address === this.gateway();
    this.line('connection refused by the access rules', { address, ...(isGateway && { hint: BEHIND_NAT }) });
  }

  packet(kind: Refusal, fields: LogFields): void {
    this.count += 1;
    this.line(kind, fields);
  }

  private line(kind: Refusal, fields: LogFields): void {
    const before = this.kinds.get(kind);
    const now = Date.now();
    if (before && now - before.loggedAtMs < LINE_EVERY_MS) {
      before.unlogged += 1;
      return;
    }
    this.kinds.set(kind, { loggedAtMs: now, unlogged: 0 });
    this.log.warn(kind, { ...fields, ...(before?.unlogged && { more: before.unlogged }) });
  }
}
