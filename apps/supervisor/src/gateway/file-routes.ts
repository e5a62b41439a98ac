import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { AGENT_PATHS } from '@libs/domain';
import { ObjectStoreError } from '@libs/object-store';
import { AgentAdmission } from './agent-admission.js';
import { objectQuerySchema } from './agent-messages.js';
import { parametersOf, sendAnswer, type Serve } from './answers.js';
import { ARTIFACT_ROUTE, ArtifactRoute } from './artifacts/artifact-route.js';
import { GatewayVisitors } from './gateway-visitors.js';
import { ObjectRelay, type RelayedPart } from './object-relay.js';
import { invalid, Refused, tooLarge } from './refused.js';
import { StatusBatcher } from './status-batcher.js';

/** Files: the objects that agents store and read through the gateway, and the artifacts that nodes download. */
@Injectable()
export class FileRoutes {
  readonly routes: Partial<Record<string, Serve>> = {
    [`PUT ${AGENT_PATHS.objects}`]: (request, response, url) => this.takeObject(request, response, url),
    [`GET ${AGENT_PATHS.objects}`]: (request, response, url) => this.sendObject(request, response, url),
    [`GET ${AGENT_PATHS.parts}`]: (request, response, url) => this.sendParts(request, response, url),
    [`GET ${ARTIFACT_ROUTE}`]: (request, response, url) => this.artifacts.send(request, response, url),
    [`HEAD ${ARTIFACT_ROUTE}`]: (request, response, url) => this.artifacts.send(request, response, url),
  };

  constructor(
    private readonly agents: AgentAdmission,
    private readonly objects: ObjectRelay,
    private readonly artifacts: ArtifactRoute,
    private readonly statuses: StatusBatcher,
    private readonly visitors: GatewayVisitors,
  ) {}

  private async takeObject(request: IncomingMessage, response: ServerResponse, url: URL | null): Promise<void> {
    const part = await this.readPart(request, url);
    const stored = await this.objects.take(part, request).catch((error: unknown) => {
      if (error instanceof ObjectStoreError && error.fault === 'too_large') throw tooLarge();
      throw error;
    });
    if (!stored) throw new Refused(404, 'order_not_found');
    sendAnswer(response, this.statuses.intervalMs, stored);
  }

  private async sendObject(request: IncomingMessage, response: ServerResponse, url: URL | null): Promise<void> {
    const object = await this.objects.find(await this.readPart(request, url));
    if (!object) throw new Refused(404, 'order_not_found');
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    await pipeline(object, response);
  }

  private async sendParts(request: IncomingMessage, response: ServerResponse, url: URL | null): Promise<void> {
    sendAnswer(response, this.statuses.intervalMs, { parts: await this.artifacts.listParts(request, url) });
  }

  private async readPart(request: IncomingMessage, url: URL | null): Promise<RelayedPart> {
    const { nodeId } = await this.agents.enter(request, 'reads');
    this.visitors.liftTime(request);
    const query = objectQuerySchema.safeParse(parametersOf(url));
    if (!query.success) throw invalid();
    return { nodeId, ...query.data };
  }
}
