import { Injectable } from '@nestjs/common';
import {
  DomainError,
  findGrant,
  isDivisionVisible,
  type Permission,
  type DivisionId,
  type EnvironmentId,
} from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { RolesRepository } from '@libs/persistence/organization';
import type { CheckPermissionQuery } from './dto/check-permission.query.js';
import type { PermissionCheckView } from './dto/permission-check.view.js';

@Injectable()
export class PermissionsService {
  constructor(private readonly roles: RolesRepository) {}

  /** @throws DomainError division_not_found, environment_not_found */
  async check(actor: ActingCaller, query: CheckPermissionQuery): Promise<PermissionCheckView> {
    const { division_id: divisionId, environment_id: environmentId } = query;
    const permission = query.permission as Permission;
    await this.requirePlace(actor, divisionId, environmentId);
    const scope = { ...(divisionId && { divisionId }), ...(environmentId && { environmentId }) };
    const via = findGrant(actor.caller.holding, permission, scope);
    return via ? { allowed: true, via } : { allowed: false, missing: permission };
  }

  private async requirePlace(actor: ActingCaller, division?: DivisionId, environment?: EnvironmentId): Promise<void> {
    if (division === undefined) return;
    const environments = environment === undefined ? [] : [environment];
    const living = await this.roles.existingScopes(actor.tenantId, [division], environments);
    if (!living.divisions.has(division) || !isDivisionVisible(actor.caller.holding, division))
      throw new DomainError('division_not_found', 'No such division.');
    if (environment !== undefined && living.environments.get(environment) !== division)
      throw new DomainError('environment_not_found', 'No such environment.');
  }
}
