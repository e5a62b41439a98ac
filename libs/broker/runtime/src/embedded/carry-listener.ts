import { createServer, type Server, type Socket } from 'node:net';
import { listenOn } from '../gate/listen-on.js';
import { openHello, readLine, sealAnswer, type CarryHello } from './carry-line.js';

/** How far apart the clocks of leader and follower may be, in milliseconds; also how long a nonce is remembered. */
const FRESH_MS = 120_000;
/** Connections which have not yet proven themselves; more are reset, so that strangers cannot pile up. */
const UNPROVEN_LIMIT = 256;

export type CarriedHandler = (protocol: 'tcp' | 'websocket', socket: Socket) => void;

/** The leader's side of carried connections. A peer without the cluster's secret gets nothing, not even a banner. */
export class CarryListener {
  private readonly server: Server;
  private readonly nonces = new Map<string, number>();
  private readonly carried = new Set<Socket>();
  private unproven = 0;

  constructor(
    private readonly secret: string,
    private readonly handler: CarriedHandler,
  ) {
    this.server = createServer({ noDelay: true }, (socket) => void this.greet(socket));
  }

  /** Rejects with BrokerError when the port is taken. */
  listen(address: string, port: number): Promise<void> {
    return listenOn(this.server, address, port);
  }

  close(): void {
    this.server.close();
    for (const socket of this.carried) socket.destroy();
  }

  private async greet(socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy());
    if (this.unproven >= UNPROVEN_LIMIT) return void socket.resetAndDestroy();
    this.unproven += 1;
    try {
      this.serve(socket, this.verify(await readLine(socket)));
    } catch {
      socket.resetAndDestroy();
    } finally {
      this.unproven -= 1;
    }
  }

  private serve(socket: Socket, hello: CarryHello | null): void {
    if (hello === null) return void socket.resetAndDestroy();
    const answer = `${sealAnswer(this.secret, hello.nonce)}\n`;
    if (hello.protocol === 'probe') return void socket.end(answer);
    this.carried.add(socket);
    socket.once('close', () => this.carried.delete(socket));
    socket.write(answer);
    this.handler(hello.protocol, socket);
  }

  /** A hello counts once: whoever overheard one cannot send it again. */
  private verify(line: string): CarryHello | null {
    const hello = openHello(this.secret, line);
    const now = Date.now();
    if (hello === null || Math.abs(now - hello.sentAtMs) > FRESH_MS) return null;
    this.forgetOldNonces(now);
    if (this.nonces.has(hello.nonce)) return null;
    this.nonces.set(hello.nonce, now);
    return hello;
  }

  /** A nonce is kept for twice the window, since the sender's clock may be ahead by all of it. */
  private forgetOldNonces(now: number): void {
    for (const [nonce, seenAt] of this.nonces) {
      if (now - seenAt <= 2 * FRESH_MS) return;
      this.nonces.delete(nonce);
    }
  }
}
