import { BrokerSession, type BrokerAccess, type OnArrival } from './broker-session.js';

/** One connection of a connector to the broker of its node. After its end the next one starts with all unacknowledged messages. */
export interface Session {
  /** Resolves, never rejects, when the connection has ended. */
  readonly over: Promise<void>;
  readonly isAlive: boolean;
  /** `topic`: `<stream>/<topic>`. Resolves when the broker has acknowledged the message. */
  publish(topic: string, payload: Buffer): Promise<void>;
  subscribe(topics: readonly string[]): Promise<void>;
  /** The broker forgets what the session has read of these topics. */
  unsubscribe(topics: readonly string[]): Promise<void>;
  /** Ends the connection, so that all sent data arrives. */
  end(): Promise<void>;
}

/**
 * Opens a session: over MQTT, or over the HTTP interface of iggy-server. `clean`: the broker forgets an earlier session of this id.
 * Rejects with BrokerError.
 */
export async function openSession(
  access: BrokerAccess,
  id: string,
  clean: boolean,
  onArrival: OnArrival,
): Promise<Session> {
  if (access.iggy === null) return BrokerSession.open(access, id, clean, onArrival);
  // Loaded only on nodes with iggy.
  const { IggySession } = await import('../iggy/iggy-session.js');
  return IggySession.open(await access.iggy.way(), id, onArrival);
}
