import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What the proxy does with connections. `open`: passes them on. `silent`: accepts them, and never answers. `cut`: ends them at once.
 * Five characters: refuses the sign-in with this SQLSTATE, as PostgreSQL does.
 */
export type ProxyMode = 'open' | 'silent' | 'cut' | '53300' | '57P03' | '08006';

/** Stands between programs and PostgreSQL, and plays a PostgreSQL that is away. */
export class DatabaseProxy {
  /** Connections that the proxy did not pass on. */
  refusals = 0;
  /** Connections of programs whose application_name contains one of these are always passed on. */
  exempt: readonly string[] = [];
  private mode: ProxyMode = 'open';
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly upstream: URL) {
    this.server = createServer({ allowHalfOpen: false }, (socket) => this.serve(socket));
  }

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(new URL(databaseUrl));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The same database, through the proxy. */
  through(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Cuts all connections. The next ones are treated as `mode` says. */
  become(mode: ProxyMode): void {
    this.mode = mode;
    this.refusals = 0;
    for (const socket of this.sockets) socket.destroy();
  }

  /** From now on neither side hears the other on connections that are open, nor on new ones. Nothing is cut. */
  freeze(): void {
    this.mode = 'silent';
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(client: Socket): void {
    this.keep(client);
    if (this.mode === 'open') return this.passOn(client);
    if (this.exempt.length === 0) return this.refuse(client);
    client.once('data', (startup) => {
      client.pause();
      client.unshift(startup);
      if (this.exempt.some((name) => startup.includes(name))) this.passOn(client);
      else this.refuse(client);
    });
  }

  private refuse(client: Socket): void {
    this.refusals += 1;
    if (this.mode === 'cut') return void client.destroy();
    if (this.mode === 'silent') return void client.resume();
    const code = this.mode;
    client.once('data', () => client.end(refusal(code))).resume();
  }

  private passOn(client: Socket): void {
    const server = connect(Number(this.upstream.port || 5432), this.upstream.hostname);
    this.keep(server);
    client.pipe(server).pipe(client);
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

/** An ErrorResponse of PostgreSQL's protocol 3. */
function refusal(code: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mrefused by the test\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
