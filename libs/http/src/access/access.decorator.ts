import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Permission } from '@libs/domain';
import type { Request } from 'express';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { factsOf } from '../request-facts.js';
import type { Actor as ActorType } from './actor.js';

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

/**
 * The caller needs `permission` on the resource of the path. With `anywhere`, the permission on any resource is enough, and
 * the answer contains only those resources. With `withoutTenant`, the path names no tenant: a key needs the permission
 * anywhere in its own tenant, and every session may call, because a session has permissions only within tenants.
 */
export const RequirePermission = (
  permission: Permission,
  { anywhere = false, withoutTenant = false }: { anywhere?: boolean; withoutTenant?: boolean } = {},
): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'permission', permission, anywhere, withoutTenant } satisfies AccessRule),
    ApiSecurity('ld_api_key'),
    ApiExtension('x-permission', permission),
    FailsWith(...KEY_ERRORS, 'insufficient_permissions'),
  );

/** Any valid key or member may call. The answer contains only what the caller may see. */
export const AnyCaller = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'any_caller' } satisfies AccessRule),
    ApiSecurity('ld_api_key'),
    FailsWith(...KEY_ERRORS),
  );

/** Any valid key may call, but no session: the answer is about the key itself. */
export const KeyOnly = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'key_only' } satisfies AccessRule),
    ApiSecurity('ld_api_key'),
    ApiExtension('x-key-only', true),
    FailsWith(...KEY_ERRORS),
  );

/**
 * A signed-in user may call; a key is refused. With `beforeVerification` the user may call before the e-mail address is
 * verified, only for matters of the account itself. The route inventory lists these routes.
 */
export const SessionOnly = (options: { beforeVerification?: boolean } = {}): MethodDecorator => {
  const beforeVerification = options.beforeVerification ?? false;
  return applyDecorators(
    SetMetadata(ACCESS, { kind: 'session_only', beforeVerification } satisfies AccessRule),
    ApiSecurity('session_cookie'),
    FailsWith('unauthenticated', 'api_key_not_allowed', 'rate_limited'),
    ...(beforeVerification ? [] : [FailsWith('email_not_verified')]),
  );
};

/**
 * Any caller may call without a key. Reviewers and the route inventory read the reason. With `limited`, requests count
 * against the rate of their address. With `hashesPassword`, they also count against the lower rate of such routes.
 */
export const Public = (
  reason: string,
  { limited = false, hashesPassword = false }: { limited?: boolean; hashesPassword?: boolean } = {},
): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'public', reason, limited, hashesPassword } satisfies AccessRule),
    ...(limited ? [FailsWith('rate_limited')] : []),
  );

/**
 * The statement of the guard also reads the row of the deployment in the path, so the route needs one round trip. The handler
 * finds the row in `actor.deploymentRow`.
 */
export const ReadsDeployment = (): MethodDecorator => SetMetadata(READS_DEPLOYMENT, true);

/** The acting caller. Only for routes that need a key or a session. */
export const Actor = createParamDecorator((_: unknown, context: ExecutionContext): ActorType | null => {
  return factsOf(context.switchToHttp().getRequest<Request>()).actor;
});
