import type { Socket } from 'node:net';
import type { ClientCredentials } from '../control/broker-runtime.js';
import type { Gate } from './gate.js';
import type { LoginRefusals } from './logins/login-refusals.js';

/** How a gate process serves the clients of one kind of broker, behind the access rules. */
export interface ClientListeners {
  /** Time until a client must have signed in. */
  readonly signInMs: number;
  /** Sign-ins that were refused because of their credentials. */
  readonly refusals: LoginRefusals;
  /** Opens the node's ports behind the gate. `stats`: all gauges of the node. Rejects with BrokerError when a port is taken. */
  open(gate: Gate, stats: () => Promise<Record<string, number>>): Promise<void>;
  /**
   * Replaces the credentials of clients. When it resolves, clients can sign in with the new password, and connections whose
   * password is no longer good are closed.
   */
  setCredentials(credentials: ClientCredentials, serverOffsetMs: number): Promise<void>;
  /** Serves a client of the node itself, which bypasses the access rules. */
  enter(socket: Socket): void;
  /** Loopback ports for programs of the node itself, by the name of the listener. Absent: the node has no such programs. */
  readonly nodePorts?: Record<string, number>;
  /** Totals of the traffic since the start of the process, by the name of the gauge. */
  counts(): Record<string, number>;
  /** Ends the HTTP and WebSocket servers. The gate cuts the connections. */
  close(): void;
}
