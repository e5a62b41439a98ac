import { Inject, Injectable } from '@nestjs/common';
import { Catalog, requireFeature } from '@libs/catalog';
import { DomainError, type Written, type TenantId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { CloudAccountsRepository, TenantsRepository } from '@libs/persistence/organization';
import { DeploymentAccountsRepository } from '@libs/persistence/runtime';
import { TenantEntitlements } from '../../tenants/index.js';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { accountOf, toByocRequest } from './byoc-request.js';
import { DeploymentCreation } from '../create/deployment-creation.js';
import type { CreateByocDto } from '../dto/create-byoc.dto.js';
import type { AcceptedView } from '../dto/deployment.view.js';

/** Deployments in accounts of customers. */
@Injectable()
export class ByocDeployments {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly cloudAccounts: CloudAccountsRepository,
    private readonly accounts: DeploymentAccountsRepository,
    private readonly catalog: Catalog,
    private readonly entitlements: TenantEntitlements,
    private readonly creation: DeploymentCreation,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /**
   * @throws DomainError validation_failed, tier_feature_unsupported, plan_feature_required, state_conflict, name_taken,
   *   plan_limit_reached, provider_unavailable
   */
  async create(actor: ActingCaller, dto: CreateByocDto): Promise<Written<AcceptedView>> {
    const request = toByocRequest(this.catalog, dto, {
      ...{ externalId: await this.tenants.externalId(actor.tenantId), operator: this.config },
    });
    requireFeature(await this.entitlements.lock(actor.tenantId), 'byoc_enabled');
    const account = accountOf(dto);
    const cloudAccountId = await this.savedAccount(actor.tenantId, dto.cloud, account.accountId);
    return this.creation.create(actor, actor.environment.id, { ...request, cloudAccountId }, (id) =>
      this.accounts.insert(id, account),
    );
  }

  /**
   * Returns the tenant's saved account, or null if the tenant has saved none: then nothing forbids its use.
   * @throws DomainError state_conflict when any saved record of the account is not active
   */
  private async savedAccount(tenantId: TenantId, cloud: string, accountId: string): Promise<number | null> {
    const records = await this.cloudAccounts.ofAccount(tenantId, cloud, accountId);
    const closed = records.find(({ status }) => status !== 'active');
    if (!closed) return records[0]?.id ?? null;
    const what = `The cloud account of ${accountId} is ${closed.status}`;
    throw new DomainError('state_conflict', `${what}. Only an active account accepts new deployments.`, {
      members: { state: closed.status },
    });
  }
}
