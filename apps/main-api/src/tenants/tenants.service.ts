import { Injectable } from '@nestjs/common';
import { requireUnchanged, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { TenantsRepository, type Tenant } from '@libs/persistence/organization';
import { changesOf, type Precondition, type TenantId } from '@libs/domain';
import { tenantWide } from '../platform/index.js';
import { AddressChange } from './address-change.js';
import type { TenantView } from './dto/tenant.view.js';
import type { UpdateTenantDto } from './dto/update-tenant.dto.js';
import { FreeDeployments } from './free-deployments.js';
import { TenantEntitlements } from './tenant-entitlements.js';
import { toTenantView } from './to-tenant-view.js';

@Injectable()
export class TenantsService {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly free: FreeDeployments,
    private readonly addresses: AddressChange,
    private readonly ledger: Ledger,
  ) {}

  async get(actor: ActingCaller): Promise<TenantView> {
    return this.read(actor.tenantId);
  }

  /** Returns the record of a tenant. The record is the same for all callers. */
  async read(tenantId: TenantId): Promise<TenantView> {
    return this.view(await this.tenants.get(tenantId));
  }

  /** @throws DomainError precondition_failed */
  async update(actor: ActingCaller, dto: UpdateTenantDto, precondition: Precondition): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const tenant = await this.tenants.get(actor.tenantId);
    const view = await this.view(tenant);
    precondition.require(view);
    requireUnchanged(dto, view);
    const { changes, previous } = changesOf<Tenant>(tenant, { ...dto });
    if (Object.keys(changes).length === 0) return;
    if (changes.email !== undefined) await this.addresses.announce(actor, tenant, changes.email);
    await this.tenants.update(tenant.id, changes);
    await this.ledger.record({
      audit: 'tenant_updated',
      author: actor.author,
      context: tenantWide(actor),
      data: { ...changes, previous },
      traceId: actor.traceId,
    });
  }

  private async view(tenant: Tenant): Promise<TenantView> {
    const entitlements = this.entitlements.ofPlan(tenant);
    const counts = await this.tenants.counts(tenant.id);
    return toTenantView(tenant, { ...counts, free_left: await this.free.left(tenant.id, entitlements) }, entitlements);
  }
}
