import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '@libs/domain';
import type { Request } from 'express';
import { CallerStore } from '../ports.js';
import { factsOf } from '../request-facts.js';
import { ACCESS, type AccessRule } from './access.decorator.js';
import { Actor } from './actor.js';
import { Admission } from './admission.js';
import { addressedBy } from './addressed.js';
import { ApiKeyExtractor } from './api-key.strategy.js';
import { requireInScope, requirePermission, requireUsable } from './authorize.js';

/**
 * Stands before every route and fails closed: a route that does not declare who may call it is refused. In this order
 * (fills 1, "Order of refusals"): key, address, scope of the path, permission. The body has not been read yet.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly extractor: ApiKeyExtractor,
    private readonly callers: CallerStore,
    private readonly admission: Admission,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS, context.getHandler());
    if (rule?.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const secret = await this.extractor.extract(context);
    const facts = factsOf(request);
    facts.actor = await this.admit(request, secret, rule);
    facts.recheck = async () => void (await this.admit(request, secret, rule));
    return true;
  }

  private async admit(request: Request, secret: string | null, rule: AccessRule | undefined): Promise<Actor> {
    const addressed = addressedBy(request);
    const resolved = secret === null ? null : await this.callers.resolve(secret, addressed);
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
