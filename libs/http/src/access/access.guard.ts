import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '@libs/domain';
import type { Request, Response } from 'express';
import { CallerStore, type Addressed, type ResolvedCaller } from '../ports.js';
import { factsOf } from '../request-facts.js';
import { ACCESS, type AccessRule } from './access.decorator.js';
import { Actor } from './actor.js';
import { Admission } from './admission.js';
import { addressedBy } from './addressed.js';
import { ApiKeyExtractor } from './api-key.strategy.js';
import { requireInScope, requirePermission, requireUsable } from './authorize.js';
import { RateGate } from './rate-gate.js';

/**
 * Stands before every route and fails closed: a route that does not declare who may call it is refused. In this order
 * (fills 1, "Order of refusals"): rate, key, address, scope of the path, permission. The body has not been read yet.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly extractor: ApiKeyExtractor,
    private readonly callers: CallerStore,
    private readonly rates: RateGate,
    private readonly admission: Admission,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS, context.getHandler());
    if (rule?.kind === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const secret = await this.extractor.extract(context);
    const addressed = addressedBy(request);
    const resolve = async (): Promise<ResolvedCaller | null> =>
      secret === null ? null : this.callers.resolve(secret, addressed);
    const resolved = await resolve();
    await this.rates.pass(resolved, request.ip ?? '', http.getResponse<Response>());
    const facts = factsOf(request);
    facts.actor = this.admit(request, resolved, addressed, rule);
    facts.recheck = async () => void this.admit(request, await resolve(), addressed, rule);
    return true;
  }

  private admit(
    request: Request,
    resolved: ResolvedCaller | null,
    addressed: Addressed,
    rule: AccessRule | undefined,
  ): Actor {
    if (!resolved || !rule) throw new DomainError('unauthenticated', 'The ld-api-key header carries no valid API key.');
    requireUsable(resolved, request.ip ?? '');
    requireInScope(resolved.caller, addressed, resolved.ancestry);
    requirePermission(rule, resolved.caller, resolved.ancestry);
    const { traceId, requestId } = factsOf(request);
    const actor = new Actor(resolved.caller, resolved.ancestry, traceId, requestId);
    this.admission.admit(actor);
    return actor;
  }
}
