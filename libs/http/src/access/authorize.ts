import {
  canonicalRange,
  DomainError,
  findGrant,
  holdsAnywhere,
  isDivisionVisible,
  isInRanges,
  isSameHash,
  type ErrorCode,
  type PermissionScope,
} from '@libs/domain';
import type { Request } from 'express';
import type { Addressed, Ancestry, Caller, Named, ResolvedCaller } from '../ports.js';
import type { AccessRule } from './access.decorator.js';

/** The header of writes with the token of the session. */
export const CSRF_HEADER = 'x-csrf-token';

/** Refuses an expired key, or one that is used from an address outside its allowlist. */
export function requireUsable(resolved: ResolvedCaller, address: string): void {
  if (resolved.isExpired) throw new DomainError('api_key_expired', 'This API key has expired.');
  if (resolved.allowedIps === null || isInRanges(address, resolved.allowedIps)) return;
  const ip = canonicalRange(address) ?? address;
  throw new DomainError('ip_not_allowed', `The key may not be used from ${ip}.`, { members: { ip } });
}

/** Refuses a key or a token on a route for sessions only, and a session or a token on a route for keys only. */
export function requireKindOfCaller(rule: AccessRule, { key, session }: Caller): void {
  if (rule.kind === 'session_only' && !session)
    throw new DomainError('api_key_not_allowed', 'Sign in: API keys are not accepted here.');
  if (rule.kind === 'key_only' && !key)
    throw new DomainError('unauthenticated', 'The ld-api-key header carries no valid API key.');
}

/**
 * Refuses a user without a verified e-mail address, and the keys of this user, on every route that does not allow this.
 * The owner of the address may be another person, so nothing may happen in that person's name.
 */
export function requireVerified(rule: AccessRule, { isVerified }: Caller): void {
  if (isVerified || (rule.kind === 'session_only' && rule.beforeVerification)) return;
  throw new DomainError(
    'email_not_verified',
    'Follow the link in the verification mail first, or request another mail.',
  );
}

/** Refuses a write without the CSRF token: the cookie alone is not enough, because a browser sends it automatically. */
export function requireCsrfToken(request: Request, { session }: Caller): void {
  if (!session || request.method === 'GET' || request.method === 'HEAD') return;
  const token = Buffer.from(String(request.headers[CSRF_HEADER] ?? ''));
  if (isSameHash(token, Buffer.from(session.csrfToken))) return;
  throw new DomainError('csrf_token_invalid', `Send the token of the session as ${CSRF_HEADER}.`);
}

/**
 * Refuses with 404 each resource of the path outside the caller's tenant, scope or ancestry. So the answer does not
 * reveal whether the resource exists.
 */
export function requireInScope(
  caller: Caller,
  addressed: Addressed,
  { division, environment, deployment }: Ancestry,
): void {
  requireLevel(addressed.tenantId, caller.tenant, 'tenant_not_found');
  requireLevel(addressed.divisionId, division, 'division_not_found');
  requireLevel(addressed.environmentId, environment, 'environment_not_found');
  requireLevel(addressed.deploymentId, deployment, 'deployment_not_found');
  if (!division || isDivisionVisible(caller.holding, division.id)) return;
  throw notFound(addressed.divisionId === null ? 'deployment_not_found' : 'division_not_found');
}

/** Refuses with 403, naming the permission and the scope where it is missing. */
export function requirePermission(rule: AccessRule, caller: Caller, ancestry: Ancestry): void {
  if (rule.kind !== 'permission') return;
  const { permission, anywhere, withoutTenant } = rule;
  if (withoutTenant && caller.session) return;
  const scope = scopeOf(ancestry);
  const isHeld =
    anywhere || withoutTenant
      ? holdsAnywhere(caller.holding, permission)
      : findGrant(caller.holding, permission, scope) !== null;
  if (isHeld) return;
  throw new DomainError('insufficient_permissions', `The caller lacks the permission ${permission} here.`, {
    members: { permission, scope: idsOf(caller, ancestry) },
  });
}

const notFound = (code: ErrorCode): DomainError => new DomainError(code, 'No such resource.');

function requireLevel(asked: number | null | undefined, found: Named<number> | null, code: ErrorCode): void {
  if (asked === null) return;
  // Both an impossible id and the id of a resource that was not found are undefined. They must not count as equal.
  if (asked === undefined || asked !== found?.id) throw notFound(code);
}

function scopeOf({ division, environment }: Ancestry): PermissionScope {
  return {
    ...(division && { divisionId: division.id }),
    ...(environment && { environmentId: environment.id }),
  };
}

/** The ids that an error names. */
const idsOf = (caller: Caller, { division, environment }: Ancestry): object => ({
  tenant_id: caller.tenant?.id ?? null,
  division_id: division?.id ?? null,
  environment_id: environment?.id ?? null,
});
