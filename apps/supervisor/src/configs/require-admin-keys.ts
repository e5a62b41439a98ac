import { adminKeys, type WrittenValue } from '@libs/broker-config';
import { DomainError, missingOfRole } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import type { ConfiguredBroker } from '@libs/persistence/runtime';

/**
 * Keys that have an effect beyond the deployment's own clients are for administrators: for callers with all permissions
 * of the system role admin in the whole tenant. The check ignores the names of roles. A narrower key of an owner is
 * refused.
 * @throws DomainError insufficient_permissions
 */
export function requireAdminKeys(
  { caller, context }: ActingCaller,
  { driver, release }: ConfiguredBroker,
  written: readonly WrittenValue[],
): void {
  const keys = adminKeys(driver, release, written);
  const missing = keys.length === 0 ? null : missingOfRole(caller.holding, 'admin');
  if (!missing) return;
  throw new DomainError('insufficient_permissions', `Only the roles owner and admin may set ${keys.join(', ')}.`, {
    members: { permission: missing.permission, scope: { tenant_id: context.tenantId }, keys },
  });
}
