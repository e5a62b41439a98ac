import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Permission } from '@libs/domain';
import type { Request } from 'express';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { factsOf } from '../request-facts.js';
import type { Actor as ActorType } from './actor.js';

export const ACCESS = Symbol('landlord.access');

/** How a route declares who may call it. A route without one is refused: the guard fails closed. */
export type AccessRule =
  | { kind: 'permission'; permission: Permission; anywhere: boolean }
  | { kind: 'any_key' }
  | { kind: 'public'; reason: string };

const KEY_ERRORS = [
  'unauthenticated',
  'api_key_expired',
  'ip_not_allowed',
  'tenant_not_found',
  'rate_limited',
] as const;

/**
 * The caller needs `permission` where the path points. With `anywhere`, holding it in any place is enough, and the
 * answer is filtered to those places.
 */
export const RequirePermission = (permission: Permission, options: { anywhere?: boolean } = {}): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'permission', permission, anywhere: options.anywhere ?? false } satisfies AccessRule),
    ApiSecurity('ld_api_key'),
    ApiExtension('x-permission', permission),
    FailsWith(...KEY_ERRORS, 'insufficient_permissions'),
  );

/** Any valid key may call; the answer is about the key itself or filtered to what it may see. */
export const AnyKey = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'any_key' } satisfies AccessRule),
    ApiSecurity('ld_api_key'),
    FailsWith(...KEY_ERRORS),
  );

/** Anyone may call, without a key. The reason is read by reviewers and by the route inventory. */
export const Public = (reason: string): MethodDecorator =>
  SetMetadata(ACCESS, { kind: 'public', reason } satisfies AccessRule);

/** The acting caller; only on routes that need a key. */
export const Actor = createParamDecorator((_: unknown, context: ExecutionContext): ActorType | null => {
  return factsOf(context.switchToHttp().getRequest<Request>()).actor;
});
