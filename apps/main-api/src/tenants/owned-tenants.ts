import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Database } from '@libs/persistence';
import { TenantOwnershipRepository, UsersRepository } from '@libs/persistence/organization';

/** Plans are of tenants, so this is no plan's: it keeps one user from filling the installation with tenants. */
const OWNED_TENANTS = 10;

/** How many tenants a user owns. */
@Injectable()
export class OwnedTenants {
  private readonly ownership: TenantOwnershipRepository;
  private readonly users: UsersRepository;

  constructor(database: Database) {
    this.ownership = new TenantOwnershipRepository(database);
    this.users = new UsersRepository(database);
  }

  /**
   * Holds the user, so that of two requests that both see the last free place only one takes it.
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
