import { BrokerSession } from './broker-session.js';
import type { BrokerAccess, OnArrival, Session } from './session.js';

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
