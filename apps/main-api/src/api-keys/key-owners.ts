import { Injectable } from '@nestjs/common';
import type { UserId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { ApiKeysRepository, TenantsRepository, type ApiKeyRow } from '@libs/persistence/organization';
import { requireWithinReach } from '../platform/index.js';

/** The change of a key's owner for the audit record; empty without a change. */
export type OwnerChange = { owner?: { id: UserId; name: string }; previous_owner?: { id: UserId; name: string } };

/** The owner of a key, and the rights of the owner. */
@Injectable()
export class KeyOwners {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly tenants: TenantsRepository,
  ) {}

  /** Makes the caller the owner of the key. So the key has no more permissions than the caller, and ends with the caller. */
  async take(actor: ActingCaller, key: ApiKeyRow): Promise<OwnerChange> {
    const { user } = actor.caller;
    if (key.user_id === user.id) return {};
    await this.keys.setOwner(actor.tenantId, key.id, user.id);
    return { owner: { id: user.id, name: user.name }, previous_owner: { id: key.user_id, name: key.user_name } };
  }

  /**
   * The owner of the key, the owner of the tenant, or a caller with all permissions of the key may delete it. For a
   * calling key only its own permissions count: otherwise it could delete keys with more permissions in the name of its
   * owner.
   * @throws DomainError insufficient_permissions
   */
  async requireMayDelete(actor: ActingCaller, key: ApiKeyRow): Promise<void> {
    const { user, session } = actor.caller;
    if (session && (key.user_id === user.id || (await this.isTenantOwner(actor)))) return;
    requireWithinReach(actor, key.permissions, key.division_id);
  }

  private async isTenantOwner({ tenantId, caller }: ActingCaller): Promise<boolean> {
    return (await this.tenants.get(tenantId)).owner_id === caller.user.id;
  }
}
