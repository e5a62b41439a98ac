import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { claimInstance } from '../control/instance-socket.js';
import { endOlderRelease, olderName } from '../control/older-release.js';
import { isAlive } from '../control/ask-instance.js';
import { nodeFlag, type NodeHome } from '../control/node-home.js';
import { PROOF_HEADER, PROOF_PATH, Proofs } from '../control/proofs.js';
import { AGENT_VERSION } from './agent-version.js';

export type AgentState = 'working' | 'fenced';

/** `GET /ping` on the agent's socket. The cloud driver uses it to find the agent of a node. */
export interface AgentPing {
  node: number;
  pid: number;
  agent_version: string;
  boot_id: string;
  /** `fenced` when the node was replaced. The agent does nothing more and must not be started again. */
  state: AgentState;
}

/** The agent's address on the machine. It is also the lock that makes the agent the only one of its node. */
export class AgentSocket {
  private readonly proofs = new Proofs();
  private readonly server: Server;
  /** Answers pings at the address of the previous release, so that a driver of that release starts no second agent. */
  private readonly oldServer: Server;

  constructor(
    private readonly home: NodeHome,
    private readonly bootId: string,
    private readonly state: () => AgentState,
  ) {
    const answer = (request: IncomingMessage, response: ServerResponse): void => this.answer(request, response);
    this.server = createServer({ requestTimeout: 5_000 }, answer);
    this.oldServer = createServer({ requestTimeout: 5_000 }, answer);
  }

  /** Throws InstanceTakenError when the node already has an agent. */
  async claim(): Promise<void> {
    await claimInstance(this.server, this.home, 'agent', this.proofs.token, isAlive);
    // The previous agent leaves its broker running.
    await endOlderRelease(this.home, 'agent', ['--dir', this.home.dir, nodeFlag(this.home)]);
    if (process.platform === 'linux') await this.answerAtOldName();
  }

  close(): void {
    for (const server of [this.server, this.oldServer]) {
      server.close();
      server.closeAllConnections();
    }
  }

  /** A ping contains no secret and needs no proof. */
  private answer({ method = '', url: path = '', headers }: IncomingMessage, response: ServerResponse): void {
    if (method === 'GET' && path === '/ping') return send(response, 200, this.ping());
    const nonce = this.proofs.accept(headers.authorization, 'control', { method, path, payload: '' });
    if (nonce === null || path !== PROOF_PATH) return send(response, 404, { error: 'no such route' });
    send(response, 200, {}, { [PROOF_HEADER]: this.proofs.seal(nonce, { status: 200, payload: '{}' }) });
  }

  private ping(): AgentPing {
    const { nodeId: node } = this.home;
    return { node, pid: process.pid, agent_version: AGENT_VERSION, boot_id: this.bootId, state: this.state() };
  }

  /** Any process on the machine may have taken the name. This release does not need it, and sends no secret there. */
  private answerAtOldName(): Promise<void> {
    return new Promise((resolve) => {
      this.oldServer.once('error', () => resolve());
      this.oldServer.listen({ path: olderName(this.home, 'agent') }, () => resolve());
    });
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const common = { 'content-type': 'application/json', connection: 'close' };
  response.writeHead(status, { ...common, ...headers }).end(JSON.stringify(body));
}
