import { connect, type Socket } from 'node:net';
import { BrokerError } from '../control/broker-error.js';
import type { Address } from './gate-upstream.js';

const CONNECT_TIMEOUT_MS = 3_000;

/** Opens connections to one listener of the broker behind a gate. */
export class BrokerConnections {
  /** Connections to the broker. While one is open, no other process can have its address. */
  private readonly live = new Set<Socket>();
  private known: Address | null = null;
  /** Number of connections that are open or being opened. */
  private taken = 0;

  constructor(
    /** The address of the listener, just verified to belong to this node's broker. Null when there is none. */
    private readonly find: () => Promise<Address | null>,
    private readonly maxConnections: number,
  ) {}

  /**
   * Rejects with BrokerError when the broker does not run or the limit is reached. The limit is enforced here, because the limit
   * of the broker itself would leave no connections for monitoring.
   */
  async open(): Promise<Socket> {
    if (this.taken >= this.maxConnections) throw new BrokerError('the broker accepts no more connections');
    this.taken += 1;
    try {
      const socket = await this.reach();
      socket.once('close', () => (this.taken -= 1));
      return socket;
    } catch (error) {
      this.taken -= 1;
      throw error;
    }
  }

  private async reach(): Promise<Socket> {
    // Without open connections the broker may have ended, and another process may have its address. So the address is read
    // again.
    if (this.live.size === 0) this.known = null;
    this.known ??= await this.find();
    if (this.known === null) throw new BrokerError('the broker does not run');
    return this.track(await connected(this.known));
  }

  private track(socket: Socket): Socket {
    this.live.add(socket);
    socket.once('close', () => this.live.delete(socket));
    return socket;
  }
}

function connected(address: Address): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, noDelay: true });
    const timer = setTimeout(() => socket.destroy(new BrokerError('the connection timed out')), CONNECT_TIMEOUT_MS);
    socket.on('error', (error) => {
      socket.destroy();
      reject(error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.once('close', () => clearTimeout(timer));
  });
}
