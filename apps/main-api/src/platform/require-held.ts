import {
  DomainError,
  firstMissing,
  missingToGive,
  type Grant,
  type PermissionTree,
  type DivisionId,
} from '@libs/domain';
import type { ActingCaller } from '@libs/http';

/**
 * A caller cannot grant permissions that the caller does not hold: not by a key, a role, a wider scope or a rotation
 * (C-5.10).
 * @throws DomainError insufficient_permissions naming the first grant that the caller lacks
 */
export function requireHeld(actor: ActingCaller, grants: readonly Grant[]): void {
  const missing = firstMissing(actor.caller.holding, grants);
  if (missing) throw notHeld(actor, missing);
}

/**
 * A caller who gives a permission tree must hold all of it in the division, or everywhere for `null`.
 * @throws DomainError insufficient_permissions naming the first grant that the caller lacks
 */
export function requireWithinReach(actor: ActingCaller, tree: PermissionTree, divisionId: DivisionId | null): void {
  const missing = missingToGive(actor.caller.holding, tree, divisionId);
  if (missing) throw notHeld(actor, missing);
}

/** Returns the error for a grant that the caller does not hold. */
function notHeld(actor: ActingCaller, { permission, scope: grantScope }: Grant): DomainError {
  const { divisionId = null, environmentId = null } = grantScope;
  const named = <Id extends number>(id: Id | null): Id | null => (id !== null && id > 0 ? id : null);
  const scope = {
    tenant_id: actor.tenantId,
    division_id: named(divisionId),
    environment_id: named(environmentId),
  };
  return new DomainError(
    'insufficient_permissions',
    `You cannot grant ${permission}, because you do not hold this permission there.`,
    {
      members: { permission, scope },
    },
  );
}
