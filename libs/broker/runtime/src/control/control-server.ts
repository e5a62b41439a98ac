import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GateOrder } from '../gate/gate-order.js';
import { claimInstance, type InstanceRole } from '../instance-socket.js';
import { reasonOf } from '../json-log.js';
import type { NodePlace } from '../node-place.js';
import { isAlive } from './ask-instance.js';
import { INLET_PATH } from './inlet.js';
import { CHALLENGE_PATH, Proofs } from './proofs.js';
import { readBody } from './read-body.js';

/** What the control channel can do to a process of a node. */
export interface Controlled {
  ping(): Record<string, unknown> | Promise<Record<string, unknown>>;
  stats(): Record<string, number> | Promise<Record<string, number>>;
  /** Absent: the process has no gate. */
  setGate?(order: GateOrder): void;
  /** Serves a client of the node's own, which passed no gate; absent: the process serves none. */
  enter?(socket: Socket): void;
  /** Makes a copy of the data as it is at one moment, at a place of its own choice; absent: the process has none. */
  freeze?(): Promise<void>;
  /** Begins the graceful stop; must not wait for the control channel. */
  stop(): void;
}

/**
 * The agent's channel into a process of the node, and by its address the lock that makes the process the only one. Both
 * sides prove that they know the token of the process (proofs.ts). A proof is for one purpose: to control, or for the inlet,
 * which only opens a client's connection. No order names a path.
 */
export class ControlServer {
  private readonly server: Server;
  private readonly proofs = new Proofs();

  constructor(
    private readonly place: NodePlace,
    private readonly role: InstanceRole,
    private readonly controlled: Controlled,
  ) {
    this.server = createServer({ requestTimeout: 10_000 }, (request, response) => {
      this.answer(request, response).catch((error: unknown) => send(response, 400, { error: reasonOf(error) }));
    });
    if (controlled.enter) this.server.on('upgrade', (request, socket: Socket) => this.admit(request, socket));
  }

  /** Throws InstanceTakenError when the node has a process of this role already. */
  async claim(): Promise<void> {
    await claimInstance(this.server, this.place, this.role, this.proofs.token, isAlive);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const [name, nonce = ''] = path.split('?');
    if (name === CHALLENGE_PATH) return send(response, 200, this.proofs.answer(nonce));
    const body = await readBody(request);
    if (!this.proofs.accepts(headers.authorization ?? '', 'control', { method, path, payload: body })) {
      return send(response, 401, { error: 'unauthenticated' });
    }
    const route = `${method} ${path}`;
    if (route === 'GET /ping') return send(response, 200, await this.controlled.ping());
    if (route === 'GET /stats') return send(response, 200, await this.controlled.stats());
    if (route === 'PUT /rules' && this.controlled.setGate) {
      this.controlled.setGate(JSON.parse(body) as GateOrder);
      return send(response, 200, await this.controlled.ping());
    }
    if (route === 'POST /freeze' && this.controlled.freeze) {
      if (body !== '') return send(response, 400, { error: 'a freeze takes no orders' });
      await this.controlled.freeze();
      return send(response, 200, {});
    }
    if (route !== 'POST /stop') return send(response, 404, { error: 'no such route' });
    send(response, 202, {});
    this.controlled.stop();
  }

  /** Nothing follows a request before it was answered, so there is no head to hand on. */
  private admit({ url, headers }: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const said = { method: 'GET', path: url ?? '', payload: '' };
    const isKnown = this.proofs.accepts(headers.authorization ?? '', 'inlet', said);
    if (!isKnown || url !== INLET_PATH)
      return void socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: mqtt\r\n\r\n');
    this.controlled.enter?.(socket);
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
}
