import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A request and its answer, in hexadecimal. */
export interface Exchange {
  request: string;
  answer: string;
}

/** What happened at a server, to be played again without the server. */
export interface Recording {
  /** The program and release of the server. */
  server: string;
  /** The time of the recording, in milliseconds since the epoch. */
  at: number;
  exchanges: Exchange[];
}

/** Answers the requests of one connection. Null: no answer, and the connection stays open. */
export type Answering = (request: Buffer) => Promise<Buffer | null> | Buffer | null;

/** A server for messages of DNS over TCP. */
export class DnsListener {
  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
  ) {}

  static async open(answering: () => Answering): Promise<DnsListener> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      void serve(socket, answering()).catch(() => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new DnsListener(server, sockets);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Plays a recording. A request that is not recorded ends its connection. */
export const playing = ({ exchanges }: Recording): Answering => {
  const left = [...exchanges];
  return (request) => {
    const index = left.findIndex((exchange) => exchange.request === request.toString('hex'));
    const [found] = index < 0 ? [] : left.splice(index, 1);
    if (!found) throw new RangeError('the request was not recorded');
    return Buffer.from(found.answer, 'hex');
  };
};

/** Passes each request to a real server. `observe` gets both messages, and may replace the answer. */
export const passingTo =
  (
    port: number,
    observe: (request: Buffer, answer: Buffer) => Buffer | null = (_request, answer) => answer,
  ): Answering =>
  async (request) => {
    const socket = connect({ host: '127.0.0.1', port });
    try {
      socket.write(framed(request));
      for await (const answer of messages(socket)) return observe(request, answer);
      throw new RangeError('the server has not answered');
    } finally {
      socket.destroy();
    }
  };

async function serve(socket: Socket, answer: Answering): Promise<void> {
  for await (const request of messages(socket)) {
    const reply = await answer(request);
    if (reply !== null) socket.write(framed(reply));
  }
}

async function* messages(socket: Socket): AsyncGenerator<Buffer> {
  let received: Buffer = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
      const end = 2 + received.readUInt16BE();
      yield received.subarray(2, end);
      received = received.subarray(end);
    }
  }
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
