import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Database } from '@libs/persistence';
import { TenantOwnershipRepository, UsersRepository } from '@libs/persistence/organization';

/**
 * Plans apply to tenants, so this limit is not part of a plan. It keeps one user from filling the installation with
 * tenants.
 */
const OWNED_TENANTS = 10;

/** Limits the number of tenants that a user owns. */
@Injectable()
export class OwnedTenants {
  private readonly ownership: TenantOwnershipRepository;
  private readonly users: UsersRepository;

  constructor(database: Database) {
    this.ownership = new TenantOwnershipRepository(database);
    this.users = new UsersRepository(database);
  }

  /**
   * Locks the user: of two concurrent requests at the last free place, only one can take it.
   * @throws DomainError plan_limit_reached
   */
  async requireBelowLimit(userId: number): Promise<void> {
    await this.users.findForUpdate(userId);
    const usage = await this.ownership.countOwned(userId);
    if (usage < OWNED_TENANTS) return;
    throw new DomainError('plan_limit_reached', `A user owns at most ${OWNED_TENANTS} tenants.`, {
      members: { limit_name: 'owned_tenants', limit: OWNED_TENANTS, usage },
    });
  }
}
