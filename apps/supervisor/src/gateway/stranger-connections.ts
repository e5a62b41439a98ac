import type { Socket } from 'node:net';

/**
 * Connections that have not shown a credential. A stranger can hold some of them, never so many that agents find no place:
 * a connection leaves the count with its first authenticated request, and what is above the limits is cut at once.
 */
export class UnknownConnections {
  /** Addresses of strangers, by the two ends of the connection: the socket of TLS is another object than that of TCP. */
  private readonly outsiders = new Map<string, string>();
  private readonly byAddress = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly mostOfAnAddress: number,
  ) {}

  /** Takes a new connection, or cuts it. */
  admit(socket: Socket): void {
    const { remoteAddress: address = '' } = socket;
    const ofAddress = this.byAddress.get(address) ?? 0;
    if (this.outsiders.size >= this.most || ofAddress >= this.mostOfAnAddress) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    this.outsiders.set(key, address);
    this.byAddress.set(address, ofAddress + 1);
    socket.once('close', () => this.forget(key));
  }

  /** Somebody known speaks on this connection. */
  know(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): void {
    this.forget(keyOf(socket));
  }

  private forget(key: string): void {
    const address = this.outsiders.get(key);
    if (address === undefined) return;
    this.outsiders.delete(key);
    const left = (this.byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
  }
}

const keyOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress ?? ''} ${remotePort ?? 0}`;
