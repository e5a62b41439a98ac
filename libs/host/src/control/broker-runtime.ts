import type { RefusedLogins, BrokerDriver, GateRule, NodeCertificate, NodeSpec, PreviousPassword } from '@libs/domain';
import type { Inlet } from './inlet.js';
import type { NodeHome } from './node-home.js';

/** The user name and the passwords of clients. */
export interface ClientCredentials {
  username: string;
  password: string;
  /** Also accepted, until its end. */
  previous: PreviousPassword | null;
}

/** The current state of the gate. Changes never need a restart. */
export interface GateState {
  rules: GateRule[];
  /** Networks whose connections must begin with a header of the PROXY protocol. Absent: none. */
  proxies?: string[];
  /** Server time minus the time of this machine, in milliseconds, from the answers of the gateway. */
  serverOffsetMs: number;
  /** The certificate for TLS clients. Null: none. */
  certs: NodeCertificate | null;
  credentials: ClientCredentials;
}

/** The status that a running broker reports. */
export interface BrokerContact {
  pid: number;
  /** ISO 8601, start of the process. */
  startedAt: string;
  version: string;
  /** Hash of all settings that need a restart to change: `render(spec).hash` of the current configuration. */
  configHash: string;
  /** Hash of the current access rules, networks of proxies, certificate and credentials: `gateHash`. */
  gateHash: string;
  /** The server time offset in use, in milliseconds. */
  serverOffsetMs: number;
  /** True when its listeners are open. */
  listening: boolean;
  /** True when the broker serves clients. A follower also needs an answer from its leader. */
  ready: boolean;
  /** Why the broker is not ready. Null when it is ready. */
  reason: string | null;
  /** Sign-ins that were refused because of their credentials, for the newest addresses. */
  refusedLogins: RefusedLogins[];
}

export interface RenderedBroker {
  /** The content of the configuration file. Contains secrets, so write it only to a 0600 file. */
  content: string;
  /** Changes exactly when a restart is necessary. */
  hash: string;
}

/** The exit of a broker process, reported once. */
export interface BrokerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The file with the output of the process. */
  logFile: string;
}

/**
 * One kind of broker on a node. The broker process has its own session and outlives the process that started it. Other
 * processes find it through its control socket, never by pid.
 */
export interface BrokerRuntime {
  readonly driver: BrokerDriver;
  /** Where the gate runs: in the broker process, or in a separate process in front of it. */
  readonly gate: 'inline' | 'process';
  /** The directory with the durable data of the broker. A backup copies it. */
  dataDirectory(home: NodeHome): string;
  /** The file with the output of the broker process, both streams. */
  logFile(home: NodeHome): string;
  /** All files with output of the broker's processes. */
  logFiles(home: NodeHome): string[];
  /** The accounts in the rendered configuration. */
  users(spec: NodeSpec): string[];
  /** Pure: equal input gives equal output. */
  render(home: NodeHome, spec: NodeSpec, gate: GateState): RenderedBroker;
  /** Rejects with BrokerError when the broker would not start with this configuration. Does not change the running broker. */
  check(home: NodeHome, spec: NodeSpec, gate: GateState): Promise<void>;
  /**
   * Writes the configuration and starts the process. Ends a process of an older release first. Does not wait until the broker
   * is ready. `exited` reports its end.
   */
  start(home: NodeHome, spec: NodeSpec, gate: GateState): Promise<{ pid: number; exited: Promise<BrokerExit> }>;
  /** Queries the broker of the node, independent of the process that started it. Null when none answers. */
  contact(home: NodeHome): Promise<BrokerContact | null>;
  /**
   * Changes the gate of a running broker. Cuts connections that are no longer allowed before it resolves, also those that
   * signed in with a password that is no longer good. A new certificate cuts none.
   */
  applyGate(home: NodeHome, gate: GateState): Promise<void>;
  /**
   * Makes the directory `frozenDirectory` a consistent copy of the data directory. The copy contains everything that was
   * acknowledged before the call. A running broker continues, a stopped broker stays stopped. Rejects with BrokerError when no
   * consistent copy is possible.
   */
  freeze(home: NodeHome): Promise<void>;
  /** Resumes a broker after an interrupted freeze. */
  thaw(home: NodeHome): Promise<void>;
  /**
   * Makes a copy of the data of another deployment usable for the node: encrypts the copy again under the key of the node, and
   * gives the accounts of the server the credentials of the node. Changes nothing in a copy of the node's own deployment. Rejects
   * with BrokerError when the copy does not open with the secrets of the other deployment, or the driver cannot do this.
   */
  adopt(home: NodeHome, directory: string, spec: NodeSpec): Promise<void>;
  /** The access for the node's own clients. The rules of the gate do not apply to it. */
  readonly inlet: Inlet;
  /**
   * What the server collects about itself for a person who looks for a fault: a ZIP of text files, with nothing of other processes of
   * the machine. Absent: the broker has no such function. Rejects with BrokerError when no broker answers.
   */
  diagnose?(home: NodeHome): Promise<Buffer>;
  /** Gauges by name. Empty when the broker does not answer. */
  stats(home: NodeHome): Promise<Record<string, number>>;
  /** Graceful stop, then SIGKILL after `deadlineMs`. Resolves when no process of the broker is left. */
  stop(home: NodeHome, deadlineMs: number): Promise<void>;
  /**
   * Why a broker that started at `sinceMs` (milliseconds since the epoch) ended, from its own logs. Null when they contain no
   * error. Absent: the last line of the output is the reason.
   */
  lastError?(home: NodeHome, sinceMs: number): Promise<string | null>;
  /** Kills a broker that no longer answers. Finds it by its argv. Resolves when no process of the broker is left. */
  kill(home: NodeHome): Promise<void>;
}
