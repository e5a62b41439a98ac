import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Injectable, Logger } from '@nestjs/common';
import { AGENT_PATHS, LOG_LIMITS, STATUS_LIMIT_BYTES, type AgentAnswer } from '@libs/domain';
import { ObjectStoreError } from '@libs/object-store';
import { desiredQuerySchema, logsSchema, objectQuerySchema, registerSchema, statusSchema } from './agent-messages.js';
import { AgentRegistry, type Agent } from './agent-registry.js';
import { DesiredWaiters } from './desired-waiters.js';
import { LogIntake } from './log-intake.js';
import { ObjectRelay, type RelayedPart } from './object-relay.js';
import { readLimited, readPacked } from './read-limited.js';
import { StatusBatcher } from './status-batcher.js';

/** A refusal of the gateway; agents read the status. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/** What agents ask for; an API key opens none of it. */
@Injectable()
export class GatewayRoutes {
  private readonly logger = new Logger('Gateway');

  constructor(
    private readonly registry: AgentRegistry,
    private readonly waiters: DesiredWaiters,
    private readonly statuses: StatusBatcher,
    private readonly logs: LogIntake,
    private readonly objects: ObjectRelay,
  ) {}

  /** Answers, whatever comes; never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://gateway');
      switch (`${request.method} ${url.pathname}`) {
        case `POST ${AGENT_PATHS.register}`:
          return await this.register(request, response);
        case `GET ${AGENT_PATHS.desired}`:
          return await this.desired(request, response, url);
        case `POST ${AGENT_PATHS.status}`:
          return await this.status(request, response);
        case `POST ${AGENT_PATHS.logs}`:
          return await this.takeLogs(request, response);
        case `PUT ${AGENT_PATHS.objects}`:
          return await this.takeObject(request, response, url);
        case `GET ${AGENT_PATHS.objects}`:
          return await this.sendObject(request, response, url);
      }
      throw new Refused(404, 'route_not_found');
    } catch (error) {
      this.refuse(response, error);
    }
  }

  private async register(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = registerSchema.safeParse(await readLimited(request, STATUS_LIMIT_BYTES));
    if (!body.success) throw new Refused(400, 'validation_failed');
    const { node_id, token, credential_hash, agent_version } = body.data;
    const agent = await this.registry.register(node_id, token, Buffer.from(credential_hash, 'hex'), agent_version);
    if (!agent) throw new Refused(401, 'unauthenticated');
    this.logger.log({ node: node_id, deployment: agent.deploymentId }, 'agent registered');
    this.answer(response, { node_id, epoch: agent.epoch });
  }

  private async desired(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const agent = await this.authenticate(request);
    const query = desiredQuerySchema.safeParse(Object.fromEntries(url.searchParams));
    if (!query.success) throw new Refused(400, 'validation_failed');
    const { timeline, since, wait } = query.data;
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const next = await this.waiters.next(agent.nodeId, { timeline, generation: since }, wait * 1000, closed.signal);
    if (response.destroyed) return;
    if (next === 'replaced') throw new Refused(409, 'replaced');
    if (next === 'nothing_new') response.writeHead(204, { 'ld-server-time': new Date().toISOString() }).end();
    else this.answer(response, { document: next });
  }

  private async status(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const agent = await this.authenticate(request);
    const body = statusSchema.safeParse(await readLimited(request, STATUS_LIMIT_BYTES));
    if (!body.success) throw new Refused(400, 'validation_failed');
    if (body.data.epoch !== agent.epoch) throw new Refused(409, 'stale_epoch');
    const { refused, connectors = [], ...status } = body.data;
    if (refused) this.logger.error({ node: agent.nodeId, ...refused }, 'agent refused a document');
    this.statuses.take(agent.nodeId, { ...status, connectors });
    this.answer(response, { epoch: agent.epoch });
  }

  private async takeLogs(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const agent = await this.authenticate(request);
    // Before the body is read: who is too fast costs nothing more.
    if (!this.logs.admits(agent.nodeId)) throw new Refused(429, 'rate_limited');
    const body = logsSchema.safeParse(await readPacked(request, LOG_LIMITS.packedBytes, LOG_LIMITS.unpackedBytes));
    if (!body.success) throw new Refused(400, 'validation_failed');
    const { epoch, ...batch } = body.data;
    if (epoch !== agent.epoch) throw new Refused(409, 'stale_epoch');
    this.answer(response, { cursor: await this.logs.take({ nodeId: agent.nodeId, ...batch }) });
  }

  private async takeObject(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const part = await this.readPart(request, url);
    const stored = await this.objects.take(part, request).catch((error: unknown) => {
      if (error instanceof ObjectStoreError && error.fault === 'too_large') throw new Refused(413, 'payload_too_large');
      throw error;
    });
    if (!stored) throw new Refused(404, 'order_not_found');
    this.answer(response, stored);
  }

  private async sendObject(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const object = await this.objects.find(await this.readPart(request, url));
    if (!object) throw new Refused(404, 'order_not_found');
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    await pipeline(object, response);
  }

  private async readPart(request: IncomingMessage, url: URL): Promise<RelayedPart> {
    const { nodeId } = await this.authenticate(request);
    const query = objectQuerySchema.safeParse(Object.fromEntries(url.searchParams));
    if (!query.success) throw new Refused(400, 'validation_failed');
    return { nodeId, ...query.data };
  }

  private async authenticate(request: IncomingMessage): Promise<Agent> {
    const agent = await this.registry.authenticate(request.headers.authorization);
    if (!agent) throw new Refused(401, 'unauthenticated');
    return agent;
  }

  private refuse(response: ServerResponse, error: unknown): void {
    if (response.destroyed) return;
    const refused = error instanceof Refused ? error : new Refused(500, 'internal_error');
    if (refused !== error) this.logger.error({ err: error }, 'agent request failed');
    const headers = {
      'content-type': 'application/json',
      ...([429, 500].includes(refused.status) && { 'retry-after': '1' }),
    };
    response.writeHead(refused.status, headers).end(JSON.stringify({ code: refused.code, status: refused.status }));
  }

  private answer(response: ServerResponse, body: object): void {
    const common: AgentAnswer = { server_time: new Date().toISOString(), interval_ms: this.statuses.intervalMs };
    const text = JSON.stringify({ ...common, ...body });
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text);
  }
}
