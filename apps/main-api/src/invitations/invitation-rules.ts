import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import { DomainError, domainOf, registrableDomainOf, type TenantId } from '@libs/domain';
import { InvitationsRepository, MembersRepository, TenantsRepository } from '@libs/persistence/organization';
import type { TenantEntitlement } from '../tenants/index.js';

/** Checks whether a tenant may invite an address, and the limits of invitations. */
@Injectable()
export class InvitationRules {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly members: MembersRepository,
    private readonly tenants: TenantsRepository,
  ) {}

  /**
   * The caller must have the lock of the tenant, because invitations are counted. The limit of members is checked when
   * an invitation is accepted.
   * @throws DomainError invitee_domain_locked, invitee_domain_not_allowed, state_conflict, plan_limit_reached
   */
  async requireInvitee(tenantId: TenantId, email: string, entitlements: TenantEntitlement): Promise<void> {
    await this.requireDomain(tenantId, email);
    const { counted, pending } = await this.invitations.census(tenantId);
    await this.requireNonMember(tenantId, email);
    requireBelowLimit(entitlements, 'pending_invitations_limit', pending);
    requireBelowLimit(entitlements, 'invitations_limit', counted);
  }

  private async requireDomain(tenantId: TenantId, email: string): Promise<void> {
    const tenant = await this.tenants.get(tenantId);
    const domain = tenant.email_domain;
    if (tenant.enforce_domain_only_invitations && domain !== null && !isWithin(email, domain))
      throw new DomainError(
        'invitee_domain_not_allowed',
        `The settings of the tenant allow addresses in ${domain} only.`,
      );
    const registrable = registrableDomainOf(email);
    if (registrable === null || !(await this.invitations.isDomainLocked(tenantId, registrable))) return;
    throw new DomainError(
      'invitee_domain_locked',
      `The organization that owns ${registrable} does not allow invitations by other tenants.`,
    );
  }

  private async requireNonMember(tenantId: TenantId, email: string): Promise<void> {
    if (await this.members.hasEmail(tenantId, email))
      throw new DomainError('state_conflict', `${email} is already a member.`);
    const id = await this.invitations.findPendingId(tenantId, email);
    if (id === null) return;
    throw new DomainError('state_conflict', `Another invitation to ${email} is pending.`, { members: { id } });
  }
}

/** Any subdomain counts (C-8.3). */
function isWithin(email: string, domain: string): boolean {
  const emailDomain = domainOf(email);
  const domainName = domain.toLowerCase();
  return emailDomain === domainName || emailDomain.endsWith(`.${domainName}`);
}
