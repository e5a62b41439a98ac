import type { BrokerDriver, GateRule, NodeCertificate, NodeSpec } from '@libs/domain';
import type { Inlet } from './control/inlet.js';
import type { NodePlace } from './node-place.js';

/** What the gate enforces now. Changes of it never need a restart. */
export interface GateState {
  rules: GateRule[];
  /** Server time minus this machine's time, in milliseconds, as learnt from the gateway's answers. */
  serverOffsetMs: number;
  /** Shown to clients that ask for TLS; null: none. */
  certs: NodeCertificate | null;
}

/** What a running broker says of itself. */
export interface BrokerContact {
  pid: number;
  /** ISO 8601, start of the process. */
  startedAt: string;
  version: string;
  /** Hash of everything that needs a restart to change: `render(spec).hash` of the configuration it runs with. */
  configHash: string;
  /** Hash of the access rules that it enforces and the certificate that it shows: `gateHash`. */
  gateHash: string;
  /** Server time offset that it counts with, in milliseconds. */
  serverOffsetMs: number;
  /** True when its listeners are open. */
  listening: boolean;
  /** True when clients are served: on a follower this includes that the leader answers. */
  ready: boolean;
  /** Why it is not ready; null when it is. */
  reason: string | null;
}

export interface RenderedBroker {
  /** The configuration file's content, secrets included: for a 0600 file only. */
  content: string;
  /** Changes exactly when a restart is needed. */
  hash: string;
}

/** How the process of a broker ended, told once. */
export interface BrokerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The file with what it printed. */
  logFile: string;
}

/**
 * One kind of broker on a node. The broker is a process of its own session which outlives whoever started it; it is
 * found again by asking its control socket, never by pid.
 */
export interface BrokerRuntime {
  readonly driver: BrokerDriver;
  /** Where the gate is: in the broker's process, or a process of its own in front of it. */
  readonly gate: 'inline' | 'process';
  /** Where the broker keeps what must survive: the unit of backup. */
  dataDirectory(place: NodePlace): string;
  /** The file with what the broker's process printed, both streams. */
  logFile(place: NodePlace): string;
  /** All files with what processes of the broker printed. */
  logFiles(place: NodePlace): string[];
  /** Accounts that the rendered configuration lets in. */
  users(spec: NodeSpec): string[];
  /** Pure: equal input gives equal output. */
  render(place: NodePlace, spec: NodeSpec, gate: GateState): RenderedBroker;
  /** Rejects with BrokerError when the broker would not start with this configuration. What runs is not touched. */
  check(place: NodePlace, spec: NodeSpec, gate: GateState): Promise<void>;
  /**
   * Writes the configuration and starts the process, in the place of one of the release before; does not wait until it is
   * ready. `exited` tells its end.
   */
  start(place: NodePlace, spec: NodeSpec, gate: GateState): Promise<{ pid: number; exited: Promise<BrokerExit> }>;
  /** Asks the node's broker, whoever started it. Null when none answers. */
  contact(place: NodePlace): Promise<BrokerContact | null>;
  /** Live change of the gate: connections that are no longer allowed are cut before it resolves; another certificate cuts none. */
  applyGate(place: NodePlace, gate: GateState): Promise<void>;
  /**
   * Makes the directory `frozenDirectory` a copy of the data directory as it is at one moment: everything that was acknowledged
   * before the call is in it. The broker runs on; one that is stopped stays stopped. Rejects with BrokerError when that
   * cannot be had.
   */
  freeze(place: NodePlace): Promise<void>;
  /** Lets a broker go on that a freeze was cut short on. */
  thaw(place: NodePlace): Promise<void>;
  /** How the node's own clients get in, whatever the gate's rules. */
  readonly inlet: Inlet;
  /** Gauges by name; empty when the broker does not answer. */
  stats(place: NodePlace): Promise<Record<string, number>>;
  /** Graceful stop, then SIGKILL after `deadlineMs`. Resolves when no process of the broker is left. */
  stop(place: NodePlace, deadlineMs: number): Promise<void>;
  /** Ends a broker that no longer answers; found by its argv. Resolves when no process of it is left. */
  kill(place: NodePlace): Promise<void>;
}
