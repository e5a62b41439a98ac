import { Inject, Injectable } from '@nestjs/common';
import { Catalog, requireFeature } from '@libs/catalog';
import { gcpInstructions, permissionsPolicy, trustPolicy } from '@libs/cloud';
import { validationFailed } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { TenantsRepository } from '@libs/persistence/organization';
import { InstallationRepository } from '@libs/persistence/platform';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { TenantEntitlements } from '../../tenants/index.js';
import type { ByocSetupDto } from '../dto/byoc-setup.dto.js';
import type { ByocSetupView } from '../dto/byoc-setup.view.js';
import { issue } from '../create/shape-rules.js';

/** Describes the setup of a customer's account for deployments. */
@Injectable()
export class ByocSetup {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly installations: InstallationRepository,
    private readonly catalog: Catalog,
    private readonly entitlements: TenantEntitlements,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /** @throws DomainError validation_failed, plan_feature_required */
  async describe(actor: ActingCaller, { cloud, region }: ByocSetupDto): Promise<ByocSetupView> {
    if (!this.catalog.findRegion(cloud, region))
      throw validationFailed([issue('/region', 'unknown_region', `is not a region of ${cloud}`)]);
    requireFeature(await this.entitlements.of(actor.tenantId), 'byoc_enabled');
    const externalId = await this.tenants.externalId(actor.tenantId);
    return cloud === 'aws' ? this.aws(region, externalId) : this.gcp(region, externalId);
  }

  private async aws(region: string, externalId: string): Promise<ByocSetupView> {
    const serviceAccountId = this.config.BYOC_AWS_ACCOUNT_ID;
    const installation = (await this.installations.find())?.name ?? '';
    return {
      service_org_id: serviceAccountId,
      external_id: externalId,
      trust_policy: trustPolicy(region, serviceAccountId, externalId),
      permissions_policy: permissionsPolicy({ region, installation }),
    };
  }

  private gcp(region: string, externalId: string): ByocSetupView {
    const serviceAccount = this.config.BYOC_GCP_SERVICE_ACCOUNT;
    return {
      service_account_email: serviceAccount,
      external_id: externalId,
      ...gcpInstructions({ region, serviceAccount, externalId }),
    };
  }
}
