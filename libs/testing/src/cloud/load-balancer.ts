import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PROBE_MS = 100;

interface Upstream {
  url: URL;
  isReady: boolean;
  /** A probe is pending. */
  isAsked: boolean;
}

/**
 * A minimal load balancer: probes /health/ready ten times a second, sends each request to the next ready app, and never
 * retries.
 */
export class LoadBalancer {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;
  private readonly upstreams: Upstream[];
  private readonly timer: NodeJS.Timeout;
  private next = 0;

  private constructor(urls: readonly string[]) {
    this.upstreams = urls.map((url) => ({ url: new URL(url), isReady: true, isAsked: false }));
    this.server = createServer((incoming, outgoing) => this.forward(incoming, outgoing));
    this.timer = setInterval(() => void this.probe(), PROBE_MS);
  }

  static async before(urls: readonly string[]): Promise<LoadBalancer> {
    const balancer = new LoadBalancer(urls);
    await new Promise<void>((resolve) => balancer.server.listen(0, '127.0.0.1', () => resolve()));
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Whether requests go to this app: its last probe was successful. */
  sendsTo(url: string): boolean {
    return this.upstreams.some((upstream) => upstream.isReady && upstream.url.href === new URL(url).href);
  }

  /** One probe at a time per app, so that an older answer never follows a newer one. */
  private async probe(): Promise<void> {
    await Promise.all(
      this.upstreams.map(async (upstream) => {
        if (upstream.isAsked) return;
        upstream.isAsked = true;
        upstream.isReady = await isReady(upstream.url);
        upstream.isAsked = false;
      }),
    );
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = this.upstreams.filter(({ isReady }) => isReady);
    const upstream = ready[this.next++ % Math.max(1, ready.length)];
    if (!upstream) return refuse(outgoing, 'no_upstream_is_ready');
    const { method, headers } = incoming;
    const target = new URL(incoming.url ?? '/', upstream.url);
    const call = request(target, { method, headers, agent: this.agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'keep-alive' });
      answer.pipe(outgoing);
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) return void outgoing.destroy();
      const connection = call.reusedSocket ? 'kept' : 'new';
      refuse(outgoing, `${error.code ?? error.name} on a ${connection} connection to ${upstream.url.host}`);
    });
    incoming.pipe(call);
  }
}

async function isReady(url: URL): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/health/ready', url));
    // Reads the body to its end, so that the connection is reused.
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** Answers with a code that explains the failure. */
const refuse = (outgoing: ServerResponse, code: string): void =>
  void outgoing.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ code }));
