import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { AGENT_PATHS, LOG_LIMITS, REGISTER_LIMIT_BYTES, REQUEST_LIMITS, STATUS_LIMIT_BYTES } from '@libs/domain';
import { outageRefusal, RefusalLog } from '@libs/http';
import { endAfterBody, hasSeveralHosts } from '@libs/domain/admission';
import { AgentAdmission } from './agent-admission.js';
import { closedBy, parametersOf, sendAnswer, sendNothingNew, type Serve } from './answers.js';
import { ARTIFACT_ROUTE, isArtifactPath } from './artifacts/artifact-route.js';
import {
  answerSchema,
  desiredQuerySchema,
  logsSchema,
  registerSchema,
  requestsQuerySchema,
  statusSchema,
} from './agent-messages.js';
import { FileRoutes } from './file-routes.js';
import { GatewayVisitors } from './gateway-visitors.js';
import { LogIntake } from './log-intake.js';
import { MachineRoutes } from './machines/machine-routes.js';
import { readMessage } from './read-message.js';
import { invalid, Refused } from './refused.js';
import { StatusBatcher } from './status-batcher.js';
import { DesiredWaiters } from './waiting/desired-waiters.js';
import { RequestWaiters } from './waiting/request-waiters.js';

/** The connection closes after these statuses, and after every refusal of a caller that has not signed in on it. */
const ENDING = [401, 404, 410, 413];
const LATER = [429, 500, 503];

/** The requests of agents. An API key gives no access to any of them. */
@Injectable()
export class GatewayRoutes {
  private readonly logger = new Logger('Gateway');
  private readonly refusals = new RefusalLog(this.logger);
  private readonly routes: Partial<Record<string, Serve>> = {
    [`POST ${AGENT_PATHS.register}`]: (request, response) => this.register(request, response),
    [`GET ${AGENT_PATHS.desired}`]: (request, response, url) => this.desired(request, response, url),
    [`POST ${AGENT_PATHS.status}`]: (request, response) => this.status(request, response),
    [`POST ${AGENT_PATHS.logs}`]: (request, response) => this.takeLogs(request, response),
    [`GET ${AGENT_PATHS.requests}`]: (request, response, url) => this.sendRequests(request, response, url),
    [`POST ${AGENT_PATHS.requests}`]: (request, response) => this.takeAnswer(request, response),
  };

  constructor(
    private readonly agents: AgentAdmission,
    private readonly waiters: DesiredWaiters,
    private readonly statuses: StatusBatcher,
    private readonly logs: LogIntake,
    private readonly requests: RequestWaiters,
    private readonly files: FileRoutes,
    private readonly machines: MachineRoutes,
    private readonly visitors: GatewayVisitors,
  ) {}

  /** Answers every request; never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Every request has a time limit. Only the handlers of objects lift it, after the node has signed in.
    this.visitors.limitTime(request);
    try {
      if (hasSeveralHosts(request)) throw invalid();
      const url = URL.parse(request.url ?? '/', 'http://gateway');
      const path = isArtifactPath(url) ? ARTIFACT_ROUTE : url?.pathname;
      const name = `${request.method} ${path}`;
      const route = this.routes[name] ?? this.files.routes[name] ?? this.machines.routes[name];
      if (route) return await route(request, response, url);
      throw new Refused(404, 'route_not_found');
    } catch (error) {
      // The body was not complete: the client has closed the connection and reads no answer.
      if (request.destroyed && !request.complete) return;
      this.refuse(request, response, error);
    }
  }

  private async register(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readMessage(request, registerSchema, { bytes: REGISTER_LIMIT_BYTES });
    const { nodeId, deploymentId, epoch } = await this.agents.register(request, body);
    this.logger.log({ node: nodeId, deployment: deploymentId }, 'agent registered');
    this.answer(response, { node_id: nodeId, epoch });
  }

  private async desired(request: IncomingMessage, response: ServerResponse, url: URL | null): Promise<void> {
    const agent = await this.agents.enter(request, 'reads');
    const query = desiredQuerySchema.safeParse(parametersOf(url));
    if (!query.success) throw invalid();
    const { timeline, since, wait } = query.data;
    const waiting = { waitMs: wait * 1000, closed: closedBy(response) };
    const next = await this.waiters.next(agent.nodeId, { timeline, generation: since }, waiting);
    if (response.destroyed) return;
    if (next === 'replaced') throw new Refused(409, 'replaced');
    if (next === 'nothing_new') sendNothingNew(response);
    else this.answer(response, { document: next });
  }

  private async sendRequests(request: IncomingMessage, response: ServerResponse, url: URL | null): Promise<void> {
    const agent = await this.agents.enter(request, 'reads');
    const query = requestsQuerySchema.safeParse(parametersOf(url));
    if (!query.success) throw invalid();
    const requests = await this.requests.next(agent.nodeId, query.data.wait * 1000, closedBy(response));
    if (response.destroyed) return;
    if (requests.length === 0) sendNothingNew(response);
    else this.answer(response, { requests });
  }

  private async takeAnswer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const agent = await this.agents.enter(request, 'reads');
    const { epoch, id, ...result } = await readMessage(request, answerSchema, { bytes: REQUEST_LIMITS.bytes });
    if (epoch !== agent.epoch) throw new Refused(409, 'stale_epoch');
    await this.requests.answer(id, agent.nodeId, result);
    this.answer(response, {});
  }

  private async status(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const agent = await this.agents.enter(request, 'status');
    const {
      refused,
      connectors = [],
      ...status
    } = await readMessage(request, statusSchema, {
      bytes: STATUS_LIMIT_BYTES,
    });
    if (status.epoch !== agent.epoch) throw new Refused(409, 'stale_epoch');
    this.statuses.take(agent.nodeId, { ...status, connectors, ...(refused && { refused }) });
    this.answer(response, { epoch: agent.epoch });
  }

  private async takeLogs(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const agent = await this.agents.enter(request, 'logs');
    const { packedBytes: bytes, unpackedBytes } = LOG_LIMITS;
    const { epoch, ...batch } = await readMessage(request, logsSchema, { bytes, unpackedBytes });
    if (epoch !== agent.epoch) throw new Refused(409, 'stale_epoch');
    this.answer(response, { cursor: await this.logs.take({ nodeId: agent.nodeId, ...batch }) });
  }

  private refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (response.destroyed) return;
    const refused = error instanceof Refused ? error : this.unserved(error);
    const headers = {
      'content-type': 'application/json',
      ...(LATER.includes(refused.status) && { 'retry-after': String(Math.ceil(refused.retryAfterSeconds)) }),
      ...((ENDING.includes(refused.status) || !this.visitors.isKnown(request)) && { connection: 'close' }),
    };
    const text = JSON.stringify({ code: refused.code, status: refused.status });
    response.writeHead(refused.status, { ...headers, 'content-length': text.length });
    endAfterBody(request, response, text);
  }

  /** The request had no fault. Agents repeat it after a while. */
  private unserved(error: unknown): Refused {
    const refusal = outageRefusal(error);
    if (refusal === null) {
      this.logger.error({ err: error }, 'agent request failed');
      return new Refused(500, 'internal_error');
    }
    this.refusals.tell(refusal.code, { reason: error instanceof Error ? error.message : String(error) });
    return new Refused(refusal.status, refusal.code, refusal.retryAfterSeconds);
  }

  private answer(response: ServerResponse, body: object): void {
    sendAnswer(response, this.statuses.intervalMs, body);
  }
}
