import { Injectable } from '@nestjs/common';
import type { LimitName, TenantId } from '@libs/domain';
import {
  ApiKeysRepository,
  InvitationsRepository,
  MembersRepository,
  RolesRepository,
} from '@libs/persistence/organization';

/** The usage of the limits on people, roles and keys. Each number is the count that the creation of the resource checks. */
@Injectable()
export class PeopleUsage {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly invitations: InvitationsRepository,
    private readonly members: MembersRepository,
    private readonly roles: RolesRepository,
  ) {}

  async of(tenantId: TenantId): Promise<Partial<Record<LimitName, number>>> {
    const { counted, pending } = await this.invitations.usage(tenantId);
    return {
      invitations_limit: counted,
      pending_invitations_limit: pending,
      members_limit: await this.members.count(tenantId),
      roles_limit: await this.roles.countCustom(tenantId),
      api_keys_limit: await this.keys.count(tenantId),
    };
  }
}
