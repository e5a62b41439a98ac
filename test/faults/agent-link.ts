import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The network between the agents and their gateway, which a test can cut. */
export class AgentLink {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private target = 0;

  private constructor() {
    this.server = createServer((agent) => this.carry(agent));
  }

  static async open(): Promise<AgentLink> {
    const link = new AgentLink();
    await new Promise<void>((resolve) => link.server.listen(0, '127.0.0.1', () => resolve()));
    return link;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  leadsTo(port: number): void {
    this.target = port;
  }

  /** Resets every connection, and each new one, until `mend`. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private carry(agent: Socket): void {
    if (this.isCut) return void agent.resetAndDestroy();
    const gateway = connect(this.target, '127.0.0.1');
    for (const [one, other] of [
      [agent, gateway],
      [gateway, agent],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
