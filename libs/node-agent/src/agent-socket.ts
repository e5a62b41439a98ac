import { createServer, type Server } from 'node:http';
import { claimInstance, type NodePlace } from '@libs/broker/runtime';
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

/** The agent's address on the machine, and the lock that makes it the only one of its node. */
export class AgentSocket {
  private readonly server: Server;

  constructor(
    private readonly place: NodePlace,
    bootId: string,
    state: () => AgentState,
  ) {
    this.server = createServer({ requestTimeout: 5_000 }, (request, response) => {
      const isPing = request.method === 'GET' && request.url === '/ping';
      const { nodeId: node } = place;
      const ping: AgentPing = { node, pid: process.pid, agent_version: AGENT_VERSION, boot_id: bootId, state: state() };
      response.writeHead(isPing ? 200 : 404, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(isPing ? ping : { error: 'no such route' }));
    });
  }

  /** Throws InstanceTakenError when the node already has an agent. */
  async claim(): Promise<void> {
    await claimInstance(this.server, this.place, 'agent');
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
