import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Permission } from '@libs/domain';
import type { Request } from 'express';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { factsOf } from '../request-facts.js';
import { RouteFault } from '../routes/route.js';
import type { Actor as ActorType } from './actor.js';
import { API_KEY_SCHEME, SESSION_SCHEME } from './strategies/names.js';

export const ACCESS = Symbol('landlord.access');
export const READS_DEPLOYMENT = Symbol('landlord.reads_deployment');

/** The declaration of a route about its callers. The guard fails closed: it refuses a route without a declaration. */
export type AccessRule =
  | { kind: 'permission'; permission: Permission; anywhere: boolean; withoutTenant?: boolean }
  | { kind: 'any_caller' }
  | { kind: 'key_only' }
  | { kind: 'session_only'; beforeVerification: boolean }
  | { kind: 'public'; reason: string; limited: boolean; hashesPassword: boolean };

const KEY_ERRORS = [
  'unauthenticated',
  'api_key_expired',
  'ip_not_allowed',
  'email_not_verified',
  'tenant_not_found',
  'rate_limited',
] as const;

/** Who may call a route. A permission alone: each caller that has this permission on the resource of the path. */
export type Callers = Permission | AccessRule;

/** Who has the permission on any resource. The answer contains only those resources. */
export const anywhere = (permission: Permission): AccessRule => ({ kind: 'permission', permission, anywhere: true });

/**
 * The path names no tenant: a key needs the permission anywhere in its own tenant, and every session may call, because a session has
 * permissions only within tenants.
 */
export const withoutTenant = (permission: Permission): AccessRule => ({
  kind: 'permission',
  permission,
  anywhere: false,
  withoutTenant: true,
});

/** Any valid key or member. The answer contains only what the caller may see. */
export const ANY_CALLER: AccessRule = { kind: 'any_caller' };

/** Any valid key, but no session: the answer is about the key itself. */
export const KEY_ONLY: AccessRule = { kind: 'key_only' };

/** A signed-in user; a key is refused. */
export const SESSION: AccessRule = { kind: 'session_only', beforeVerification: false };

/**
 * A signed-in user, also before the e-mail address is verified, only for matters of the account itself. The route inventory lists
 * these routes.
 */
export const UNVERIFIED_SESSION: AccessRule = { kind: 'session_only', beforeVerification: true };

/**
 * Any caller without a key. Reviewers and the route inventory read the reason. With `limited`, requests count against the rate of
 * their address. With `hashesPassword`, they also count against the lower rate of such routes.
 */
export const everybody = (
  reason: string,
  { limited = false, hashesPassword = false }: { limited?: boolean; hashesPassword?: boolean } = {},
): AccessRule => ({ kind: 'public', reason, limited, hashesPassword });

/**
 * Declares who may call the route, for the guard and for the API description.
 * @throws RouteFault when the route says it twice
 */
export function admits(callers: Callers): MethodDecorator {
  const rule: AccessRule =
    typeof callers === 'string' ? { kind: 'permission', permission: callers, anywhere: false } : callers;
  return applyDecorators(requireFirst, SetMetadata(ACCESS, rule), ...documented(rule));
}

const requireFirst: MethodDecorator = (controller, name, descriptor) => {
  if (Reflect.hasMetadata(ACCESS, descriptor.value as object))
    throw new RouteFault(`${controller.constructor.name}.${String(name)} says twice who may call it`);
};

function documented(rule: AccessRule): MethodDecorator[] {
  if (rule.kind === 'public') return rule.limited ? [FailsWith('rate_limited')] : [];
  if (rule.kind === 'session_only') {
    const verified = rule.beforeVerification ? [] : (['email_not_verified'] as const);
    return [
      ApiSecurity(SESSION_SCHEME),
      FailsWith('unauthenticated', 'api_key_not_allowed', 'rate_limited', ...verified),
    ];
  }
  const byKey = [ApiSecurity(API_KEY_SCHEME), FailsWith(...KEY_ERRORS)];
  if (rule.kind === 'key_only') return [...byKey, ApiExtension('x-key-only', true)];
  if (rule.kind === 'any_caller') return byKey;
  return [...byKey, ApiExtension('x-permission', rule.permission), FailsWith('insufficient_permissions')];
}

/**
 * The statement of the guard also reads the row of the deployment in the path, so the route needs one round trip. The handler
 * finds the row in `actor.deploymentRow`.
 */
export const ReadsDeployment = (): MethodDecorator => SetMetadata(READS_DEPLOYMENT, true);

/** The acting caller. Only for routes that need a key or a session. */
export const Actor = createParamDecorator((_: unknown, context: ExecutionContext): ActorType | null => {
  return factsOf(context.switchToHttp().getRequest<Request>()).actor;
});
