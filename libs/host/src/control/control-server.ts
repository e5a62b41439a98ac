import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DeadLetterAnswer, DeadLetterRequest } from '@libs/domain';
import type { GateSettings } from './gate-settings.js';
import { claimInstance, type InstanceRole } from './instance-socket.js';
import { reasonOf } from '../os/json-log.js';
import type { NodeHome } from './node-home.js';
import { isAlive } from './ask-instance.js';
import { ENTERED, INLET_PATH } from './inlet.js';
import { PROOF_HEADER, PROOF_PATH, Proofs } from './proofs.js';
import { readBody } from './read-body.js';

/** The operations of the control channel on a process of a node. */
export interface Controlled {
  ping(): Record<string, unknown> | Promise<Record<string, unknown>>;
  stats(): Record<string, number> | Promise<Record<string, number>>;
  /** Absent: the process has no gate. */
  setGate?(settings: GateSettings): void | Promise<void>;
  /** Serves a client of the node itself, which bypasses the gate. Absent: the process serves no clients. */
  enter?(socket: Socket): void;
  /** Makes a consistent copy of the data at a fixed place. Absent: the process has no data. */
  freeze?(): Promise<void>;
  /** Takes the changed configuration from its file. Absent: a change needs another process. */
  apply?(): Promise<void>;
  /** Reads, replays or deletes refused messages. Absent: the process has none. */
  deadLetters?(request: DeadLetterRequest): Promise<DeadLetterAnswer>;
  /** Starts the graceful stop. Must not wait for the control channel. */
  stop(): void;
}

/**
 * The control channel from the agent to a process of the node. Its address is also the lock that makes the process the only
 * one. Both sides prove that they have the token of the process (proofs.ts). A proof is valid for one purpose: control, or the
 * inlet, which only opens a client connection. No request contains a path.
 */
export class ControlServer {
  private readonly server: Server;
  private readonly proofs = new Proofs();

  constructor(
    private readonly home: NodeHome,
    private readonly role: InstanceRole,
    private readonly controlled: Controlled,
  ) {
    this.server = createServer({ requestTimeout: 10_000 }, (request, response) => {
      this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    if (controlled.enter) this.server.on('upgrade', (request, socket: Socket) => this.admit(request, socket));
  }

  /** Throws InstanceTakenError when the node already has a process of this role. */
  async claim(): Promise<void> {
    await claimInstance(this.server, this.home, this.role, this.proofs.token, isAlive);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const { method = '', url: path = '', headers } = request;
    const nonce = this.proofs.accept(headers.authorization, 'control', { method, path, payload: body });
    if (nonce === null) return send(response, { status: 401, body: { error: 'unauthenticated' } });
    const result = await this.perform(`${method} ${path}`, body).catch((error: unknown) => refused(reasonOf(error)));
    const payload = JSON.stringify(result.body);
    send(response, result, this.proofs.seal(nonce, { status: result.status, payload }));
    result.afterwards?.();
  }

  private async perform(route: string, body: string): Promise<Done> {
    if (route === `GET ${PROOF_PATH}`) return ok({});
    if (route === 'GET /ping') return ok(await this.controlled.ping());
    if (route === 'GET /stats') return ok(await this.controlled.stats());
    const optional = await this.performOptional(route, body);
    if (optional) return optional;
    if (route !== 'POST /stop') return { status: 404, body: { error: 'no such route' } };
    return { status: 202, body: {}, afterwards: () => this.controlled.stop() };
  }

  /** The operations that only some processes have. Null for any other route. */
  private async performOptional(route: string, body: string): Promise<Done | null> {
    if (route === 'PUT /rules' && this.controlled.setGate) {
      await this.controlled.setGate(JSON.parse(body) as GateSettings);
      return ok(await this.controlled.ping());
    }
    if (route === 'POST /freeze' && this.controlled.freeze) {
      if (body !== '') return refused('a freeze takes no orders');
      await this.controlled.freeze();
      return ok({});
    }
    if (route === 'POST /apply' && this.controlled.apply) return ok(await this.controlled.apply().then(() => ({})));
    if (route === 'POST /dead_letters' && this.controlled.deadLetters)
      return ok(await this.controlled.deadLetters(JSON.parse(body) as DeadLetterRequest));
    return null;
  }

  /** The client sends nothing before the answer, so `head` is always empty. */
  private admit({ url, headers }: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const nonce = this.proofs.accept(headers.authorization, 'inlet', { method: 'GET', path: url ?? '', payload: '' });
    if (nonce === null || url !== INLET_PATH)
      return void socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
    const proof = `${PROOF_HEADER}: ${this.proofs.seal(nonce, ENTERED)}`;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: mqtt\r\n${proof}\r\n\r\n`);
    this.controlled.enter?.(socket);
  }
}

/** The result of a request. */
interface Done {
  status: number;
  body: unknown;
  /** Runs after the answer. */
  afterwards?: () => void;
}

const ok = (body: unknown): Done => ({ status: 200, body });
const refused = (error: string): Done => ({ status: 400, body: { error } });

function send(response: ServerResponse, { status, body }: Done, proof = ''): void {
  const headers = { 'content-type': 'application/json', connection: 'close', ...(proof && { [PROOF_HEADER]: proof }) };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
