import { createServer, type Server, type Socket } from 'node:net';
import { listenOn } from '../../gate/listen-on.js';
import { makeChallenge, openHello, readLine, sealAnswer, type CarryHello } from './carry-line.js';

/** Limit of unauthenticated connections. Further ones are reset, so that peers without the secret cannot accumulate. */
const UNPROVEN_LIMIT = 256;

export type CarriedHandler = (protocol: 'tcp' | 'websocket', socket: Socket) => void;

/** The leader's side of carried connections. A peer without the cluster's secret gets only a challenge. */
export class CarryListener {
  private readonly server: Server;
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
      const { challenge, line } = makeChallenge();
      socket.write(`${line}\n`);
      this.serve(socket, openHello(this.secret, challenge, await readLine(socket)));
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
}
