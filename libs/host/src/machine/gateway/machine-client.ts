import type { Agent } from 'node:http';
import { DESIRED_WAIT_SECONDS } from '@libs/domain/agent-protocol';
import {
  MACHINE_PATHS,
  type JoinAnswer,
  type JoinRequest,
  type MachineDocument,
  type MachineDocumentAnswer,
  type MachineStatus,
} from '@libs/domain/machine-protocol';
import { AgentError } from '../../node/agent-error.js';
import { ArtifactClient } from '../../node/artifacts/artifact-client.js';
import { CALL_TIMEOUT_MS, GatewayTransport, POLL_TIMEOUT_MS } from '../../node/gateway/gateway-transport.js';
import type { ServerClock } from '../../node/gateway/server-clock.js';

/** The machine agent's client for the routes of machines. Rejects with GatewayError when refused, otherwise with the network error. */
export class MachineClient {
  private readonly polls: Agent;
  private readonly calls: Agent;

  private constructor(private readonly transport: GatewayTransport) {
    this.polls = transport.connection();
    this.calls = transport.connection();
  }

  /** Throws AgentError for a forbidden address. */
  static async to(url: string, clock: ServerClock): Promise<MachineClient> {
    return new MachineClient(await GatewayTransport.to(url, clock));
  }

  async join(body: JoinRequest, signal: AbortSignal): Promise<JoinAnswer> {
    const call = { method: 'POST', path: MACHINE_PATHS.join, body, timeoutMs: CALL_TIMEOUT_MS } as const;
    const answer = (await this.transport.call({ ...call, signal, agent: this.calls })) as Partial<JoinAnswer> | null;
    if (!Number.isSafeInteger(answer?.machine_id) || typeof answer?.installation !== 'string')
      throw new AgentError('the gateway answered a join without a machine');
    return answer as JoinAnswer;
  }

  /** Null when no other document than the one of `generation` came within the wait. */
  async desired(generation: number, authorization: string, signal: AbortSignal): Promise<MachineDocument | null> {
    const path = `${MACHINE_PATHS.desired}?since=${generation}&wait=${DESIRED_WAIT_SECONDS}`;
    const call = { method: 'GET', path, authorization, timeoutMs: POLL_TIMEOUT_MS } as const;
    const answer = await this.transport.call({ ...call, signal, agent: this.polls });
    return answer === null ? null : (answer as MachineDocumentAnswer).document;
  }

  async status(body: MachineStatus, authorization: string, signal: AbortSignal): Promise<void> {
    const call = {
      method: 'POST',
      path: MACHINE_PATHS.status,
      body,
      authorization,
      timeoutMs: CALL_TIMEOUT_MS,
    } as const;
    await this.transport.call({ ...call, signal, agent: this.calls });
  }

  artifacts(authorization: () => string): ArtifactClient {
    return new ArtifactClient(this.transport.base, this.transport.http, authorization);
  }

  close(): void {
    this.transport.close();
  }
}
