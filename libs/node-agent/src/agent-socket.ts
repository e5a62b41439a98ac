import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  CHALLENGE_PATH,
  claimInstance,
  endProcesses,
  isAlive,
  nodeFlag,
  Proofs,
  type NodePlace,
} from '@libs/broker/runtime';
import { AGENT_VERSION } from './agent-version.js';

export type AgentState = 'working' | 'fenced';

/** `GET /ping` on the agent's socket: how the cloud driver finds a node's agent, whoever started it. */
export interface AgentPing {
  node: number;
  pid: number;
  agent_version: string;
  boot_id: string;
  /** `fenced` when the node was replaced: the agent does nothing more, and must not be started again. */
  state: AgentState;
}

/** For an agent of the release before; it leaves its broker running. */
const END_DEADLINE_MS = 5_000;

/** The agent's address on the machine, and the lock that makes it the only one of its node. */
export class AgentSocket {
  private readonly proofs = new Proofs();
  private readonly server: Server;
  /** Answers pings where the release before asks for them, so that its driver starts no agent beside this one. */
  private readonly oldServer: Server;

  constructor(
    private readonly place: NodePlace,
    private readonly bootId: string,
    private readonly state: () => AgentState,
  ) {
    const answer = (request: IncomingMessage, response: ServerResponse): void => this.answer(request, response);
    this.server = createServer({ requestTimeout: 5_000 }, answer);
    this.oldServer = createServer({ requestTimeout: 5_000 }, answer);
  }

  /** Throws InstanceTakenError when the node already has an agent. */
  async claim(): Promise<void> {
    await claimInstance(this.server, this.place, 'agent', this.proofs.token, isAlive);
    // What is left with this argv is an agent of the release before, which has another lock.
    await endProcesses(['--dir', this.place.dir, nodeFlag(this.place)], END_DEADLINE_MS);
    if (process.platform === 'linux') await this.answerAtOldName();
  }

  close(): void {
    for (const server of [this.server, this.oldServer]) {
      server.close();
      server.closeAllConnections();
    }
  }

  private answer({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const [path, nonce = ''] = url.split('?');
    if (method === 'GET' && path === CHALLENGE_PATH) return send(response, 200, this.proofs.answer(nonce));
    if (method === 'GET' && path === '/ping') return send(response, 200, this.ping());
    send(response, 404, { error: 'no such route' });
  }

  private ping(): AgentPing {
    const { nodeId: node } = this.place;
    return { node, pid: process.pid, agent_version: AGENT_VERSION, boot_id: this.bootId, state: this.state() };
  }

  /** Anybody on the machine may have taken the name. Nothing of this release needs it, and nothing secret is said there. */
  private answerAtOldName(): Promise<void> {
    const { installation, nodeId } = this.place;
    return new Promise((resolve) => {
      this.oldServer.once('error', () => resolve());
      this.oldServer.listen({ path: `\0landlord-${installation}-${nodeId}-agent` }, () => resolve());
    });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
}
