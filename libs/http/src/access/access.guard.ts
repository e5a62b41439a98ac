import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, type IAuthGuard } from '@nestjs/passport';
import { DomainError } from '@libs/domain';
import { RELEASE } from '@libs/domain/starts';
import type { Request, Response } from 'express';
import { repeatOnce } from '../errors/repeat-once.js';
import { RouteInput } from '../input/route-input.js';
import type { Addressed, ResolvedCaller } from '../ports.js';
import { factsOf, lookupOf } from '../request-facts.js';
import { tellDeprecation } from '../routes/deprecated.decorator.js';
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
import { Credentials } from './credentials.js';
import { RateGate } from './rate-gate.js';
import { API_KEY_SCHEME, type StrategyName } from './strategies/names.js';
import { strategyOf } from './strategies/strategies.js';

/**
 * Guards every route and fails closed: it refuses a route without a declaration about its callers. The order of checks
 * (docs/decisions/0006-order-of-refusals-and-own-answers.md): rate, credentials, address, verified e-mail, scope of the
 * path, permission, then the values of the path and the query. The body has not been read yet.
 */
@Injectable()
export class AccessGuard extends AuthGuard(API_KEY_SCHEME) {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
    private readonly rates: RateGate,
    private readonly admission: Admission,
    private readonly input: RouteInput,
    private readonly connections: Connections,
  ) {
    super({ session: false });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    tellDeprecation(context.getHandler(), response);
    if (rule?.kind === 'public') {
      // A repeat may count a request twice, never not at all.
      if (rule.limited) await repeatOnce(() => this.rates.pass(null, request.ip ?? '', response));
      if (rule.hashesPassword) await repeatOnce(() => this.rates.passPassword(request.ip ?? '', response));
      this.input.validatePathAndQuery(context, request);
      return true;
    }
    const deployment = this.reflector.get<boolean | undefined>(READS_DEPLOYMENT, context.getHandler()) ?? false;
    factsOf(request).lookup = this.credentials.lookup(request, addressedBy(request), { deployment });
    return this.authenticate(strategyOf(request), context);
  }

  /** The guard of Nest runs the strategy, calls `handleRequest` with its answer, and waits for the end. */
  private authenticate(strategy: StrategyName, context: ExecutionContext): Promise<boolean> {
    const guard = AuthGuard(strategy).prototype as IAuthGuard;
    return guard.canActivate.call(this, context) as Promise<boolean>;
  }

  /** Nest stores the result as `request.user`. It is undefined: `facts.actor` is the only place of the caller. */
  override handleRequest<T>(
    error: Error | null,
    resolved: ResolvedCaller | false,
    _info: unknown,
    context: ExecutionContext,
  ): T {
    if (error) throw error;
    return this.judge(context, resolved || null) as T;
  }

  private async judge(context: ExecutionContext, resolved: ResolvedCaller | null): Promise<undefined> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS, context.getHandler());
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    await repeatOnce(() => this.rates.pass(resolved, request.ip ?? '', response));
    const [facts, lookup] = [factsOf(request), lookupOf(request)];
    facts.actor = this.admit(request, resolved, lookup.addressed, rule);
    // Not for strangers, who could look for releases with a known fault.
    response.setHeader('ld-version', RELEASE);
    this.connections.know(request, callerName(facts.actor.caller));
    facts.recheck = async () => void this.admit(request, await lookup.again(), lookup.addressed, rule);
    this.input.validatePathAndQuery(context, request);
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
