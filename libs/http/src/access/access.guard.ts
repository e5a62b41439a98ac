import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '@libs/domain';
import { RELEASE } from '@libs/domain/starts';
import type { Request, Response } from 'express';
import { repeatOnce } from '../errors/repeat-once.js';
import { RouteInput } from '../input/route-input.js';
import type { Addressed, ResolvedCaller } from '../ports.js';
import { factsOf } from '../request-facts.js';
import { ACCESS, READS_DEPLOYMENT, type AccessRule } from './access.decorator.js';
import { Actor } from './actor.js';
import { Admission } from './admission.js';
import { addressedBy } from './addressed.js';
import {
  requireCsrfToken,
  requireInScope,
  requireKindOfCaller,
  requirePermission,
  requireUsable,
  requireVerified,
} from './authorize.js';
import { callerName } from './caller-name.js';
import { Connections } from './connections.js';
import { Credentials, type Resolve } from './credentials.js';
import { RateGate } from './rate-gate.js';

/**
 * Guards every route and fails closed: it refuses a route without a declaration about its callers. The order of checks
 * (docs/decisions/0006-order-of-refusals-and-own-answers.md): rate, credentials, address, verified e-mail, scope of the
 * path, permission, then the values of the path and the query. The body has not been read yet.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
    private readonly rates: RateGate,
    private readonly admission: Admission,
    private readonly input: RouteInput,
    private readonly connections: Connections,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (rule?.kind === 'public') {
      // A repeat may count a request twice, never not at all.
      if (rule.limited) await repeatOnce(() => this.rates.pass(null, request.ip ?? '', response));
      if (rule.hashesPassword) await repeatOnce(() => this.rates.passPassword(request.ip ?? '', response));
      this.input.validateAddress(context, request);
      return true;
    }
    const addressed = addressedBy(request);
    const deployment = this.reflector.get<boolean | undefined>(READS_DEPLOYMENT, context.getHandler()) ?? false;
    const find = this.credentials.of(request, addressed, { deployment });
    const resolve: Resolve = () => repeatOnce(find);
    const resolved = await resolve();
    await repeatOnce(() => this.rates.pass(resolved, request.ip ?? '', response));
    const facts = factsOf(request);
    facts.actor = this.admit(request, resolved, addressed, rule);
    // Not for strangers, who could look for releases with a known fault.
    response.setHeader('ld-version', RELEASE);
    this.connections.know(request, callerName(facts.actor.caller));
    facts.recheck = async () => void this.admit(request, await resolve(), addressed, rule);
    this.input.validateAddress(context, request);
    return true;
  }

  private admit(
    request: Request,
    resolved: ResolvedCaller | null,
    addressed: Addressed,
    rule: AccessRule | undefined,
  ): Actor {
    if (!resolved || !rule) throw new DomainError('unauthenticated', this.credentials.advice);
    const { caller, ancestry, deploymentRow } = resolved;
    requireUsable(resolved, request.ip ?? '');
    requireKindOfCaller(rule, caller);
    requireVerified(rule, caller);
    requireCsrfToken(request, caller);
    requireInScope(caller, addressed, ancestry);
    requirePermission(rule, caller, ancestry);
    const { traceId, requestId } = factsOf(request);
    const actor = new Actor(caller, ancestry, traceId, requestId, deploymentRow);
    this.admission.admit(actor);
    return actor;
  }
}
