import type { Socket } from 'node:net';

/** Maximum connections without a valid credential. */
export interface OutsiderLimits {
  /** That are served at once. */
  readonly outsiders: number;
  /** That wait to be served. */
  readonly outsidersWaiting: number;
  /** From one address, served and waiting. */
  readonly outsidersOfAnAddress: number;
}

/** A connection, and the call that begins to serve the connection. */
interface Outsider {
  readonly socket: Socket;
  readonly address: string;
  readonly serve: () => void;
}

/**
 * Connections without a valid credential. An outsider can keep some of them open, but not enough to block agents. A
 * connection no longer counts after its first authenticated request. When all agents come back at once, most of them wait here
 * in turn, because each refused connection would come again later. Connections above the limits are closed at once.
 */
export class UnknownConnections {
  /** By the remote end of the connection: the socket of TLS is not the same object as the socket of TCP. */
  private readonly served = new Map<string, Outsider>();
  /** In the order of their arrival. */
  private readonly waiting = new Map<string, Outsider>();
  private readonly byAddress = new Map<string, number>();

  constructor(private readonly limits: OutsiderLimits) {}

  /** Serves a new connection now or when it is its turn, or closes the connection. */
  admit(socket: Socket, serve: () => void): void {
    const { remoteAddress: address = '' } = socket;
    const ofAddress = this.byAddress.get(address) ?? 0;
    const isFull = this.served.size >= this.limits.outsiders;
    if (
      ofAddress >= this.limits.outsidersOfAnAddress ||
      (isFull && this.waiting.size >= this.limits.outsidersWaiting)
    ) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    this.byAddress.set(address, ofAddress + 1);
    socket.once('close', () => this.forget(key));
    (isFull ? this.waiting : this.served).set(key, { socket, address, serve });
    if (!isFull) serve();
  }

  /** Called when a request on this connection is authenticated. */
  know(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): void {
    this.forget(keyOf(socket));
  }

  /** Closes all of them. Node knows neither the connections that wait nor those in a handshake, and would wait for their end. */
  end(): void {
    const all = [...this.waiting.values(), ...this.served.values()];
    this.waiting.clear();
    for (const { socket } of all) socket.destroy();
  }

  private forget(key: string): void {
    const outsider = this.served.get(key) ?? this.waiting.get(key);
    if (outsider === undefined) return;
    const { address } = outsider;
    const left = (this.byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
    this.waiting.delete(key);
    if (this.served.delete(key)) this.serveNext();
  }

  private serveNext(): void {
    const [next] = this.waiting;
    if (next === undefined) return;
    const [key, outsider] = next;
    this.waiting.delete(key);
    this.served.set(key, outsider);
    outsider.serve();
  }
}

const keyOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress ?? ''} ${remotePort ?? 0}`;
