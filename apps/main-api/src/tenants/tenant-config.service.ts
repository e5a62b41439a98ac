import { Injectable } from '@nestjs/common';
import { changesOf, DomainError, type Precondition } from '@libs/domain';
import { requireUnchanged, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { TenantsRepository, type Tenant } from '@libs/persistence/organization';
import { tenantWide } from '../platform/index.js';
import type { TenantConfigView } from './dto/tenant-config.view.js';
import type { UpdateTenantConfigDto } from './dto/update-tenant-config.dto.js';
import { TenantEntitlements } from './tenant-entitlements.js';

type Settings = Pick<
  TenantConfigView,
  'join_policy' | 'block_external_invitations' | 'enforce_domain_only_invitations'
>;

/** The rules of a tenant for joining and for invitations. */
@Injectable()
export class TenantConfigService {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
  ) {}

  async get(actor: ActingCaller): Promise<TenantConfigView> {
    return toView(await this.tenants.get(actor.tenantId));
  }

  /** @throws DomainError tenant_has_no_email_domain, precondition_failed */
  async update(actor: ActingCaller, dto: UpdateTenantConfigDto, precondition: Precondition): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const tenant = await this.tenants.get(actor.tenantId);
    precondition.require(toView(tenant));
    requireUnchanged(dto, toView(tenant));
    requireDomain(tenant, dto);
    const { changes, previous } = changesOf<Settings>(settingsOf(tenant), { ...dto });
    if (Object.keys(changes).length === 0) return;
    await this.tenants.update(tenant.id, {
      join_policy: dto.join_policy,
      block_external_invitations: dto.block_external_invitations,
      enforce_domain_only_invitations: dto.enforce_domain_only_invitations,
    });
    await this.record(actor, { ...changes, previous });
  }

  private async record(actor: ActingCaller, data: object): Promise<void> {
    const type = 'tenant_config_updated';
    await this.ledger.record({
      audit: type,
      event: { type, key: `${type}:${actor.tenantId}:${actor.requestId}`, subject: 'Tenant settings changed', data },
      author: actor.author,
      context: tenantWide(actor),
      data,
      traceId: actor.traceId,
    });
  }
}

/** @throws DomainError tenant_has_no_email_domain */
function requireDomain({ email_domain: emailDomain }: Tenant, dto: UpdateTenantConfigDto): void {
  if (emailDomain !== null || !(dto.block_external_invitations || dto.enforce_domain_only_invitations)) return;
  throw new DomainError('tenant_has_no_email_domain', 'The locks on invitations need an e-mail domain.');
}

const settingsOf = (tenant: Tenant): Settings => ({
  join_policy: tenant.join_policy,
  block_external_invitations: tenant.block_external_invitations,
  enforce_domain_only_invitations: tenant.enforce_domain_only_invitations,
});

const toView = (tenant: Tenant): TenantConfigView => ({
  ...settingsOf(tenant),
  ...(tenant.email_domain !== null && { email_domain: tenant.email_domain }),
  ...(tenant.email_domain_verified_at !== null && {
    email_domain_verified_at: tenant.email_domain_verified_at.toISOString(),
  }),
});
