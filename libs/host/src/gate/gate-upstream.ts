/** The address of a listener. */
export interface Address {
  host: string;
  port: number;
}

/** The status that the broker behind a gate reports. */
export interface UpstreamReport {
  pid: number;
  /** ISO 8601, start of the process. */
  startedAt: string;
  version: string;
  configHash: string;
  ready: boolean;
  /** Why the broker is not ready. Null when it is ready. */
  reason: string | null;
}

/** An external broker, as a gate process uses it. */
export interface GateUpstream {
  /** The address for MQTT connections, just verified to belong to this node's broker. Null when there is none. */
  find(): Promise<Address | null>;
  /** Null when no broker of this node runs. Throws BrokerError when one runs but does not answer in time. */
  report(): Promise<UpstreamReport | null>;
  /** Gauges by name. Empty when no broker runs. */
  stats(): Promise<Record<string, number>>;
}
