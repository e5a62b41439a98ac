import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service of a customer: stores the bodies that it answers, with 200 or as it is told. */
export class Receiver {
  readonly bodies: string[] = [];
  /** Null: it accepts requests and never answers. */
  answers: number | null = 200;
  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (receiver.answers === null) return;
        receiver.bodies.push(Buffer.concat(chunks).toString());
        response.writeHead(receiver.answers).end();
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Number of bodies that contain this text. */
  count(text: string): number {
    return this.bodies.filter((body) => body.includes(text)).length;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
