import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BrokerError } from '../../control/broker-error.js';
import type { ConnectionObserver } from '../../gate/clients/client-session.js';
import { LINE_TIMEOUT_MS, readChallenge, readLine, sealHello, type CarriedProtocol } from './carry-line.js';
import { secretEqual } from '../../control/secret-equal.js';

/** How often a follower checks its leader, in milliseconds. */
const PROBE_INTERVAL_MS = 1_000;

/** The follower's side of carried connections. Pipes each client to the leader, and tracks whether the leader answers. */
export class Carrier {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private lastFailure: string | null = 'the leader has not responded';

  constructor(
    private readonly leader: { host: string; port: number },
    private readonly secret: string,
  ) {}

  /** Null while the leader answers, otherwise the reason. */
  get failure(): string | null {
    return this.lastFailure;
  }

  start(): void {
    void this.probe();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Carries one client. When either side ends, both are closed, so that a client of a dead leader reconnects. */
  carry(client: Duplex, address: string | null, observer: ConnectionObserver | null): void {
    client.on('error', () => client.destroy());
    client.pause();
    this.open('tcp', address ?? '0.0.0.0').then(
      (upstream) => this.join(client, upstream, observer),
      () => (canReset(client) ? client.resetAndDestroy() : client.destroy()),
    );
  }

  private join(client: Duplex, upstream: Socket, observer: ConnectionObserver | null): void {
    if (client.destroyed) return void upstream.destroy();
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    if (observer) {
      client.on('data', (chunk: Buffer) => observer.received(chunk));
      upstream.on('data', (chunk: Buffer) => observer.sent(chunk));
    }
    client.pipe(upstream);
    upstream.pipe(client);
  }

  /** An upstream connection on which both sides have proved the secret. */
  private async open(protocol: CarriedProtocol, clientAddress: string): Promise<Socket> {
    const socket = connect({ ...this.leader, noDelay: true });
    socket.on('error', () => socket.destroy());
    try {
      await connected(socket);
      const challenge = readChallenge(await readLine(socket));
      if (challenge === null) throw new BrokerError('another program listens at the address of the leader');
      const hello = sealHello(this.secret, challenge, protocol, clientAddress);
      socket.write(`${hello.line}\n`);
      const answer = await readLine(socket);
      if (!secretEqual(answer, hello.answer))
        throw new BrokerError('the leader does not have the secret of the cluster');
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  private async probe(): Promise<void> {
    try {
      (await this.open('probe', '0.0.0.0')).destroy();
      this.lastFailure = null;
    } catch (error) {
      const { host, port } = this.leader;
      this.lastFailure = `the leader at ${host}:${port} does not respond: ${(error as Error).message}`;
    }
    if (!this.isStopped) this.timer = setTimeout(() => void this.probe(), PROBE_INTERVAL_MS);
  }
}

/** Only for plain TCP: the node's own clients use another transport, and TLS must close its own layer. */
const canReset = (client: Duplex): client is Socket =>
  client instanceof Socket && client.remoteAddress !== undefined && !('encrypted' in client);

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new BrokerError('the connection timed out')), LINE_TIMEOUT_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new BrokerError('the connection was closed'));
    });
  });
}
