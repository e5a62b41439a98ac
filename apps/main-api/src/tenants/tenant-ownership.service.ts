import { Injectable } from '@nestjs/common';
import { DomainError, type Precondition, Written } from '@libs/domain';
import { Page, type ActingCaller, type NamedListQuery } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { TenantOwnershipRepository, TenantsRepository, type TenantOfUser } from '@libs/persistence/organization';
import { tenantWide } from '../platform/index.js';
import { ProtectionCodes } from '../protection-codes/index.js';
import type { CreateTenantDto } from './dto/create-tenant.dto.js';
import type { TenantItem } from './dto/tenant-item.view.js';
import type { TenantView } from './dto/tenant.view.js';
import { OwnedTenants } from './owned-tenants.js';
import { TenantEntitlements } from './tenant-entitlements.js';
import { TenantsService } from './tenants.service.js';

/** The creation and deletion of tenants. Users create tenants, and only the owner can delete one. */
@Injectable()
export class TenantOwnershipService {
  constructor(
    private readonly ownership: TenantOwnershipRepository,
    private readonly tenants: TenantsRepository,
    private readonly records: TenantsService,
    private readonly entitlements: TenantEntitlements,
    private readonly codes: ProtectionCodes,
    private readonly ledger: Ledger,
    private readonly owned: OwnedTenants,
  ) {}

  /** Returns the tenant of a key. For a session, returns all tenants with an active membership of the user. */
  async list({ caller }: ActingCaller, query: NamedListQuery): Promise<Page<TenantItem>> {
    const only = caller.key ? (caller.tenant?.id ?? null) : null;
    return Page.of(await this.ownership.listOf(caller.user.id, only, query), toItem, query);
  }

  /** Creates a tenant of plan Basic that the caller owns. @throws DomainError plan_limit_reached */
  async create(actor: ActingCaller, { name }: CreateTenantDto): Promise<Written<TenantView>> {
    const { user } = actor.caller;
    await this.owned.requireBelowLimit(user.id);
    const { tenantId } = await this.ownership.found({
      name,
      email: actor.session.email,
      ownerId: user.id,
      plan: 'basic',
    });
    await this.ledger.record({
      audit: 'tenant_created',
      author: actor.author,
      context: { tenantId, division: null, environment: null, deployment: null },
      data: { name, plan: 'basic' },
      traceId: actor.traceId,
    });
    return new Written(await this.records.read(tenantId), { tenant: tenantId });
  }

  /**
   * @throws DomainError not_tenant_owner, protection_code_required, protection_code_invalid, not_empty, precondition_failed
   */
  async delete(actor: ActingCaller, code: string | undefined, precondition: Precondition): Promise<void> {
    const { tenantId } = actor;
    await this.entitlements.lock(tenantId);
    const { owner_id: ownerId, name } = await this.tenants.get(tenantId);
    if (ownerId !== actor.caller.user.id)
      throw new DomainError('not_tenant_owner', 'Only the owner can delete the tenant.');
    if (precondition.isGiven) precondition.require(await this.records.read(tenantId));
    await this.codes.require({ actionType: 'delete_tenant', resourceId: tenantId }, true, code);
    if (await this.ownership.isOccupied(tenantId))
      throw new DomainError('not_empty', 'The tenant still has deployments. Delete them first.');
    await this.ledger.record({
      audit: 'tenant_deleted',
      author: actor.author,
      context: tenantWide(actor),
      data: { name },
      traceId: actor.traceId,
    });
    await this.ownership.delete(tenantId);
  }
}

const toItem = ({ id, name, owner, plan, created_at }: TenantOfUser): TenantItem => ({
  id,
  name,
  owner,
  plan,
  created_at: created_at.toISOString(),
});
