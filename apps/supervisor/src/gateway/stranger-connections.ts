import type { Socket } from 'node:net';

/**
 * Connections without a valid credential. An outsider can keep some of them open, but not enough to block agents. A
 * connection no longer counts after its first authenticated request. Connections above the limits are closed at once.
 */
export class UnknownConnections {
  /** Addresses by the remote end of the connection: the socket of TLS is not the same object as the socket of TCP. */
  private readonly outsiders = new Map<string, string>();
  private readonly byAddress = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly mostOfAnAddress: number,
  ) {}

  /** Accepts a new connection, or closes it. */
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

  /** Called when a request on this connection is authenticated. */
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
