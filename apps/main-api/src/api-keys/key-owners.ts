import { Injectable } from '@nestjs/common';
import type { ActingCaller } from '@libs/http';
import { Database } from '@libs/persistence';
import { ApiKeysRepository, TenantsRepository, type ApiKeyRow } from '@libs/persistence/organization';
import { requireWithinReach } from '../platform/index.js';

/** What the audit says when a key changes hands; empty when it stays with its owner. */
export type OwnerChange = { owner?: { id: number; name: string }; previous_owner?: { id: number; name: string } };

/** Whose a key is, and what follows from it. */
@Injectable()
export class KeyOwners {
  private readonly keys: ApiKeysRepository;
  private readonly tenants: TenantsRepository;

  constructor(database: Database) {
    this.keys = new ApiKeysRepository(database);
    this.tenants = new TenantsRepository(database);
  }

  /** Makes the caller the owner of the key, so that the key holds no more than the caller holds, and ends with them. */
  async take(actor: ActingCaller, key: ApiKeyRow): Promise<OwnerChange> {
    const { user } = actor.caller;
    if (key.user_id === user.id) return {};
    await this.keys.setOwner(actor.tenantId, key.id, user.id);
    return { owner: { id: user.id, name: user.name }, previous_owner: { id: key.user_id, name: key.user_name } };
  }

  /**
   * A key is deleted by its owner, by the owner of the tenant, or by a caller who holds all that it grants. A calling key
   * counts by what it holds alone: in the name of its owner it could end keys that are worth more than it is.
   * @throws DomainError insufficient_permissions
   */
  async requireMayDelete(actor: ActingCaller, key: ApiKeyRow): Promise<void> {
    const { user, session } = actor.caller;
    if (session && (key.user_id === user.id || (await this.isTenantOwner(actor)))) return;
    requireWithinReach(actor, key.permissions, key.division_id);
  }

  private async isTenantOwner({ tenantId, caller }: ActingCaller): Promise<boolean> {
    return (await this.tenants.get(tenantId)).ownerId === caller.user.id;
  }
}
