import { Injectable } from '@nestjs/common';
import { corporateDomainOf, type TenantId } from '@libs/domain';
import {
  EmailDomainsRepository,
  MembersRepository,
  RolesRepository,
  UsersRepository,
  type DomainHolder,
  type User,
} from '@libs/persistence/organization';
import { TenantEntitlements } from '../tenants/index.js';
import { DomainAnnouncements, type RequestTrace } from './domain-announcements.js';
import type { Workspace } from './dto/verified.view.js';

/** The result of a verified address. */
export interface Admission {
  workspace: Workspace;
  /** The tenant with the domain, if the user may know it. */
  tenantId?: TenantId;
}

/**
 * Handles a verified address: the tenant claims the domain of the organization, or the tenant with the domain admits
 * the user by its policy.
 */
@Injectable()
export class DomainAdmission {
  constructor(
    private readonly users: UsersRepository,
    private readonly domains: EmailDomainsRepository,
    private readonly members: MembersRepository,
    private readonly roles: RolesRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly announcements: DomainAnnouncements,
  ) {}

  /**
   * Marks the address as verified. At the first verification, the user claims the domain for the user's own tenant, if
   * `mayClaim` is set and the domain is free. Of several concurrent users, the first one claims it, and the others find
   * it claimed.
   */
  async admit(user: User, mayClaim: boolean, trace: RequestTrace): Promise<Admission> {
    const isFirst = await this.users.verify(user.id);
    const domain = corporateDomainOf(user.email);
    if (!isFirst || domain === null) return { workspace: 'own' };
    await this.domains.lock(domain);
    const holder = await this.domains.holder(domain);
    if (holder) return this.follow(holder, user, trace);
    const tenant = mayClaim ? await this.domains.claim(user.id, domain) : null;
    if (!tenant) return { workspace: 'own' };
    await this.announcements.claimed(tenant, user, domain, trace);
    return { workspace: 'claimed', tenantId: tenant.id };
  }

  private async follow(holder: DomainHolder, user: User, trace: RequestTrace): Promise<Admission> {
    if (holder.joinPolicy === 'invite_only') return { workspace: 'awaiting_invitation' };
    if (holder.joinPolicy === 'open' && (await this.isBelowMembersLimit(holder.id)))
      return this.join(holder, user, trace);
    const requestId = await this.domains.ask(holder.id, user.id);
    if (requestId !== null) await this.announcements.requested(holder, user, requestId, trace);
    return { workspace: 'join_requested' };
  }

  /** A full tenant gets a request instead: its owner may delete members or raise the limit. */
  private async isBelowMembersLimit(tenantId: TenantId): Promise<boolean> {
    const entitlement = await this.entitlements.lock(tenantId);
    return (await this.members.count(tenantId)) < entitlement.limit('members_limit');
  }

  private async join(holder: DomainHolder, user: User, trace: RequestTrace): Promise<Admission> {
    const viewer = await this.roles.findIdByName(holder.id, 'viewer');
    const roleIds = viewer === null ? [] : [viewer];
    const isNew = await this.members.join({ tenantId: holder.id, userId: user.id, divisionId: null, roleIds });
    if (isNew) await this.announcements.joined(holder, user, trace);
    return { workspace: 'joined', tenantId: holder.id };
  }
}
