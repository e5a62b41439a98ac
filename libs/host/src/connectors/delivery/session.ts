import type { Inlet } from '../../control/inlet.js';
import type { NodeHome } from '../../control/node-home.js';
import type { IggyAccess } from '../iggy/iggy-access.js';

/** The connection data of the broker. */
export interface BrokerAccess {
  home: NodeHome;
  inlet: Inlet;
  credentials: { username: string; password: string };
  /** The way to an iggy-server. Null: the broker of the node speaks MQTT. */
  iggy: IggyAccess | null;
}

/** A message from a subscription of the session. */
export interface Arrival {
  topic: string;
  payload: Buffer;
  /** Identifies the message, see `idIn`. Without an own id: the delivery number and the content hash. */
  key: string;
  /**
   * Whether an equal key means the same message: the message has an own id, or the broker marks it as a redelivery. Equal
   * contents prove nothing, and delivery numbers restart with each connection.
   */
  isComparable: boolean;
  /** When it arrived, in microseconds since the epoch. Different for each message, so that points of a series stay apart. */
  takenAtUs: number;
  /** Tells the broker not to deliver the message again. */
  acknowledge(): void;
}

export type OnArrival = (arrival: Arrival) => Promise<void>;

/** One connection of a connector to the broker of its node. After its end the next one starts with all unacknowledged messages. */
export interface Session {
  /** Resolves, never rejects, when the connection has ended. */
  readonly over: Promise<void>;
  readonly isAlive: boolean;
  /** Messages of its subscriptions that wait at the broker and here. Null: the protocol does not tell. */
  readonly backlog: number | null;
  /** `topic`: `<stream>/<topic>`. Resolves when the broker has acknowledged the message. */
  publish(topic: string, payload: Buffer): Promise<void>;
  subscribe(topics: readonly string[]): Promise<void>;
  /** The broker forgets what the session has read of these topics. */
  unsubscribe(topics: readonly string[]): Promise<void>;
  /** Ends the connection, so that all sent data arrives. */
  end(): Promise<void>;
}
