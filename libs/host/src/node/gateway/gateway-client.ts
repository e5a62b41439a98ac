import type { Agent } from 'node:http';
import type {
  AgentPart,
  DesiredAnswer,
  LogAnswer,
  LogBatch,
  PartsAnswer,
  RegisterAnswer,
  RegisterRequest,
  RequestResult,
  RequestsAnswer,
  StatusAnswer,
  StatusRequest,
} from '@libs/domain';
import { AGENT_PATHS, DESIRED_WAIT_SECONDS } from '@libs/domain/agent-protocol';
import { AgentError } from '../agent-error.js';
import { ArtifactClient } from '../artifacts/artifact-client.js';
import { ObjectClient } from '../orders/object-client.js';
import { CALL_TIMEOUT_MS, GatewayTransport, POLL_TIMEOUT_MS } from './gateway-transport.js';
import type { ServerClock } from './server-clock.js';

/**
 * The agent's client for the routes. All connections are outbound. Long polls and the logs have their own connections,
 * so that a status never waits behind them. Rejects with GatewayError when refused, otherwise with the network error.
 */
export class GatewayClient {
  private readonly pollAgent: Agent;
  private readonly callAgent: Agent;
  private readonly logAgent: Agent;
  private readonly requestAgent: Agent;

  private constructor(private readonly transport: GatewayTransport) {
    this.pollAgent = transport.connection();
    this.callAgent = transport.connection();
    this.logAgent = transport.connection();
    this.requestAgent = transport.connection();
  }

  /** Throws AgentError for a forbidden address. */
  static async to(url: string, clock: ServerClock): Promise<GatewayClient> {
    return new GatewayClient(await GatewayTransport.to(url, clock));
  }

  async register(body: RegisterRequest, signal: AbortSignal): Promise<RegisterAnswer> {
    const call = { method: 'POST', path: AGENT_PATHS.register, body, timeoutMs: CALL_TIMEOUT_MS } as const;
    const answer = (await this.transport.call({ ...call, signal, agent: this.callAgent })) as RegisterAnswer | null;
    if (!Number.isSafeInteger(answer?.epoch))
      throw new AgentError('the gateway answered a registration without an epoch');
    return answer as RegisterAnswer;
  }

  /** Null when no newer document came within the wait. */
  async desired(
    version: { timeline: number; generation: number },
    authorization: string,
    signal: AbortSignal,
  ): Promise<DesiredAnswer | null> {
    const query = `timeline=${version.timeline}&since=${version.generation}&wait=${DESIRED_WAIT_SECONDS}`;
    const call = { method: 'GET', path: `${AGENT_PATHS.desired}?${query}`, timeoutMs: POLL_TIMEOUT_MS } as const;
    const answer = (await this.transport.call({
      ...call,
      authorization,
      signal,
      agent: this.pollAgent,
    })) as DesiredAnswer | null;
    if (answer !== null && typeof answer.document !== 'object') throw new AgentError('the gateway sent no document');
    return answer;
  }

  async status(body: StatusRequest, authorization: string, signal: AbortSignal): Promise<StatusAnswer | null> {
    const call = { method: 'POST', path: AGENT_PATHS.status, body, timeoutMs: CALL_TIMEOUT_MS } as const;
    return (await this.transport.call({
      ...call,
      authorization,
      signal,
      agent: this.callAgent,
    })) as StatusAnswer | null;
  }

  async logs(body: LogBatch, authorization: string, signal: AbortSignal): Promise<LogAnswer | null> {
    const call = { method: 'POST', path: AGENT_PATHS.logs, body, isPacked: true, timeoutMs: CALL_TIMEOUT_MS } as const;
    return (await this.transport.call({ ...call, authorization, signal, agent: this.logAgent })) as LogAnswer | null;
  }

  /** The open requests of the node. Empty when none came within the wait. */
  async requests(authorization: string, signal: AbortSignal): Promise<RequestsAnswer['requests']> {
    const path = `${AGENT_PATHS.requests}?wait=${DESIRED_WAIT_SECONDS}`;
    const call = { method: 'GET', path, timeoutMs: POLL_TIMEOUT_MS } as const;
    const answer = await this.transport.call({ ...call, authorization, signal, agent: this.requestAgent });
    return (answer as RequestsAnswer | null)?.requests ?? [];
  }

  async answer(body: RequestResult, authorization: string, signal: AbortSignal): Promise<void> {
    const call = { method: 'POST', path: AGENT_PATHS.requests, body, timeoutMs: CALL_TIMEOUT_MS } as const;
    await this.transport.call({ ...call, authorization, signal, agent: this.requestAgent });
  }

  /** The artifacts that lie over the agent with this sha256, for the processor of this node. */
  async parts(agent: string, authorization: string, signal: AbortSignal): Promise<AgentPart[]> {
    const path = `${AGENT_PATHS.parts}?agent=${agent}&processor=${process.arch}`;
    const call = { method: 'GET', path, timeoutMs: CALL_TIMEOUT_MS } as const;
    const answer = await this.transport.call({ ...call, authorization, signal, agent: this.callAgent });
    const { parts } = (answer ?? {}) as Partial<PartsAnswer>;
    // The sha256 becomes the name of a file.
    if (!parts?.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)))
      throw new AgentError('the gateway sent no list of artifacts');
    return parts;
  }

  /** For downloads of artifacts. */
  artifacts(authorization: () => string): ArtifactClient {
    return new ArtifactClient(this.transport.base, this.transport.http, authorization);
  }

  /** For uploads and downloads of orders. */
  get objects(): ObjectClient {
    return new ObjectClient(this.transport.base, this.transport.http);
  }

  close(): void {
    this.transport.close();
  }
}
