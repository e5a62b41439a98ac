import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ipv4Of } from '../access-rules.js';
import { LoginRefusals } from '../logins/login-refusals.js';
import type { ClientNotices, Refusal } from './client-notices.js';
import { ClientSession, type ClientOrigin, type ConnectionObserver } from './client-session.js';
import type { Visitor } from '../visitor.js';
import type { TopicCounts } from './topic-counts.js';

/** A connected client, as the browser page lists it. */
export interface ListedClient {
  id: string;
  client_id: string;
  address: string | null;
  protocol: ClientOrigin['protocol'];
  tls: boolean;
  since: string;
}

/** Finds packets that a broker does not take, and where they are told. */
export interface Inspection {
  refusalOf: (firstByte: number, head: Buffer) => Refusal | null;
  notices: ClientNotices;
}

/**
 * The MQTT clients that this node accepted. A client that a follower passes to its leader is in the list of the follower only,
 * so every client of a cluster is counted once.
 */
export class ClientList {
  /** Clients that did not get into the list, because their credentials are wrong. */
  readonly refusals = new LoginRefusals();
  /** In the order of their connection. */
  private readonly connected = new Map<string, ClientSession>();

  constructor(
    /** Counts the published messages. Null when the broker itself counts them. */
    private readonly topics: TopicCounts | null,
    /** What the broker behind the gate does not take. Null: the broker itself tells. */
    private readonly inspection: Inspection | null = null,
  ) {}

  /** Observes a new connection. The client is in the list from the acceptance by the broker to the end of `transport`. */
  add(origin: ClientOrigin, transport: Duplex, visitor: Visitor | null = null): ConnectionObserver {
    const id = randomBytes(9).toString('base64url');
    const onAnswered = (isConnected: boolean): void => {
      if (isConnected) visitor?.signedIn();
      if (!isConnected) this.refusals.note(origin.address);
      else if (!transport.destroyed) this.connected.set(id, session);
    };
    const inspect = this.inspection && this.inspect(this.inspection, origin.address);
    const session = new ClientSession(id, origin, this.topics, inspect, onAnswered, () => transport.destroy());
    session.onConnect = () => visitor?.begins();
    transport.once('close', () => this.connected.delete(id));
    return session;
  }

  private inspect({ refusalOf, notices }: Inspection, address: string | null) {
    return (firstByte: number, head: Buffer, clientId: string): void => {
      const refusal = refusalOf(firstByte, head);
      if (refusal !== null) notices.packet(refusal, { address, client_id: clientId });
    };
  }

  get size(): number {
    return this.connected.size;
  }

  /** A part of the list, oldest first. */
  slice(start: number, count: number): ListedClient[] {
    const listed: ListedClient[] = [];
    let index = 0;
    for (const session of this.connected.values()) {
      if (index >= start + count) break;
      if (index >= start) listed.push(toListed(session));
      index += 1;
    }
    return listed;
  }

  /** Closes the connection of a client. False when the client is not connected. */
  disconnect(id: string): boolean {
    const session = this.connected.get(id);
    session?.close();
    return session !== undefined;
  }
}

/** The origin of a connection that the gate accepted. */
export const originOf = (protocol: 'tcp' | 'websocket', socket: Socket): ClientOrigin => ({
  address: ipv4Of(socket.remoteAddress),
  protocol,
  tls: 'encrypted' in socket,
});

/** The origin of a connection that the node itself opened, such as its connectors. */
export const NODE_ORIGIN: ClientOrigin = { address: null, protocol: 'node', tls: false };

const toListed = ({ id, clientId, origin, connectedAtMs }: ClientSession): ListedClient => ({
  id,
  client_id: clientId ?? '',
  ...origin,
  since: new Date(connectedAtMs ?? 0).toISOString(),
});
