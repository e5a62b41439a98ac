import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service of a customer: counts the requests that sinks send, for each deployment. */
export class StoryReceiver {
  private readonly counts = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<StoryReceiver> {
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      request.resume().once('end', () => {
        receiver.counts.set(path, (receiver.counts.get(path) ?? 0) + 1);
        response.writeHead(200).end();
      });
    });
    const receiver = new StoryReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  urlOf(deployment: number): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${deployment}`;
  }

  countOf(deployment: number): number {
    return this.counts.get(`/${deployment}`) ?? 0;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
