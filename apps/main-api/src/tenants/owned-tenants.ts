import { Injectable } from '@nestjs/common';
import { DomainError, type UserId } from '@libs/domain';
import { TenantOwnershipRepository, UsersRepository } from '@libs/persistence/organization';

/**
 * Plans apply to tenants, so this limit is not part of a plan. It keeps one user from filling the installation with
 * tenants.
 */
const OWNED_TENANTS = 10;

/** Limits the number of tenants that a user owns. */
@Injectable()
export class OwnedTenants {
  constructor(
    private readonly ownership: TenantOwnershipRepository,
    private readonly users: UsersRepository,
  ) {}

  /**
   * Locks the user: of two concurrent requests at the last free place, only one can take it.
   * @throws DomainError plan_limit_reached
   */
  async requireBelowLimit(userId: UserId): Promise<void> {
    await this.users.findForUpdate(userId);
    const usage = await this.ownership.countOwned(userId);
    if (usage < OWNED_TENANTS) return;
    throw new DomainError('plan_limit_reached', `A user owns at most ${OWNED_TENANTS} tenants.`, {
      members: { limit_name: 'owned_tenants', limit: OWNED_TENANTS, usage },
    });
  }
}
