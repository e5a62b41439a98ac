/** Where a process listens. */
export interface Address {
  host: string;
  port: number;
}

/** What the broker behind a gate says of itself. */
export interface UpstreamReport {
  pid: number;
  /** ISO 8601, start of the process. */
  startedAt: string;
  version: string;
  configHash: string;
  ready: boolean;
  /** Why it is not ready; null when it is. */
  reason: string | null;
}

/** A broker of another make, as a gate process sees it. */
export interface GateUpstream {
  /** Where MQTT connections go, proven to be this node's broker a moment ago; null when there is none. */
  find(): Promise<Address | null>;
  /** Null when no broker of this node runs. Throws BrokerError when one does, but does not answer in time. */
  report(): Promise<UpstreamReport | null>;
  /** Gauges by name; empty when no broker runs. */
  stats(): Promise<Record<string, number>>;
}
