import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { dialGuarded } from '@libs/outbound';
import { BrokerError } from '../../../control/broker-error.js';
import { secretEqual } from '../../../control/secret-equal.js';

export type Dial = typeof dialGuarded;

const SOCKS = 5;
const PASSWORD_METHOD = 2;
const CONNECT = 1;
const TIMEOUT_MS = 10_000;
const REPLY = { done: 0, notAllowed: 2, unreachable: 4 } as const;

/**
 * A SOCKS 5 server (RFC 1928, RFC 1929) in this process, for a client that opens its sockets itself. Its official option for a
 * proxy sends every connection here, also to hosts that a server announces. The guarded dialer opens the connections. Only
 * this process has the password.
 */
export class GuardedRelay {
  readonly username = 'landlord';
  readonly password = randomBytes(24).toString('hex');
  /** Why the last connection was not opened. */
  lastRefusal: string | null = null;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly policy: { allowPrivate: boolean },
    private readonly dial: Dial,
  ) {
    this.server = createServer((socket) => void this.serve(socket));
    this.server.unref();
  }

  static async start(policy: { allowPrivate: boolean }, dial: Dial): Promise<GuardedRelay> {
    const relay = new GuardedRelay(policy, dial);
    relay.server.listen(0, '127.0.0.1');
    await once(relay.server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private async serve(socket: Socket): Promise<void> {
    this.keep(socket);
    const timer = setTimeout(() => socket.destroy(), 2 * TIMEOUT_MS);
    try {
      const target = await this.negotiate(socket);
      const outgoing = this.keep(await this.dial(target, this.policy, TIMEOUT_MS));
      socket.write(replyOf(REPLY.done));
      socket.pipe(outgoing).pipe(socket);
      socket.once('close', () => outgoing.destroy());
      outgoing.once('close', () => socket.destroy());
    } catch (error) {
      this.lastRefusal = (error as Error).message;
      const isRefused = (error as Error).name === 'DestinationRefused';
      socket.end(replyOf(isRefused ? REPLY.notAllowed : REPLY.unreachable));
    } finally {
      clearTimeout(timer);
    }
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    return socket.on('error', () => socket.destroy()).once('close', () => this.sockets.delete(socket));
  }

  /** Checks the password, and returns the requested target. */
  private async negotiate(socket: Socket): Promise<{ host: string; port: number }> {
    const bytes = new IncomingBytes(socket);
    const [version = 0, methods = 0] = await bytes.take(2);
    const offered = await bytes.take(methods);
    if (version !== SOCKS || !offered.includes(PASSWORD_METHOD)) throw new BrokerError('the relay needs a password');
    socket.write(Buffer.from([SOCKS, PASSWORD_METHOD]));
    const [, userLength = 0] = await bytes.take(2);
    const user = await bytes.take(userLength);
    const [passwordLength = 0] = await bytes.take(1);
    const password = await bytes.take(passwordLength);
    const isKnown = user.toString() === this.username && secretEqual(password.toString(), this.password);
    socket.write(Buffer.from([1, isKnown ? 0 : 1]));
    if (!isKnown) throw new BrokerError('the password of the relay is wrong');
    const [, command, , kind = 0] = await bytes.take(4);
    const host = await readHost(bytes, kind);
    const port = (await bytes.take(2)).readUInt16BE();
    if (command !== CONNECT) throw new BrokerError('the relay only connects');
    bytes.release();
    return { host, port };
  }
}

const replyOf = (status: number): Buffer => Buffer.from([SOCKS, status, 0, 1, 0, 0, 0, 0, 0, 0]);

async function readHost(bytes: IncomingBytes, kind: number): Promise<string> {
  if (kind === 1) return [...(await bytes.take(4))].join('.');
  if (kind === 4) return (await bytes.take(16)).toString('hex').match(/.{4}/g)?.join(':') ?? '';
  const [length = 0] = await bytes.take(1);
  return (await bytes.take(length)).toString('ascii');
}

/** The bytes of a socket, in pieces of known length. */
class IncomingBytes {
  private bytes = Buffer.alloc(0);
  private wake: (() => void) | null = null;

  constructor(private readonly socket: Socket) {
    socket.on('data', this.add).once('close', () => this.wake?.());
  }

  async take(count: number): Promise<Buffer> {
    while (this.bytes.length < count) {
      if (this.socket.destroyed) throw new BrokerError('the client has closed the connection');
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    const part = this.bytes.subarray(0, count);
    this.bytes = this.bytes.subarray(count);
    return part;
  }

  /** Leaves the socket to another reader. */
  release(): void {
    this.socket.off('data', this.add).pause();
  }

  private readonly add = (chunk: Buffer): void => {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    this.wake?.();
  };
}
