import { faultOfOwnership } from '@libs/domain/operator-accounts';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { Inject, Injectable } from '@nestjs/common';
import { Catalog, Entitlements } from '@libs/catalog';
import { CloudError, type AccountVerdict, type CustomerAccount } from '@libs/cloud';
import { DomainError, validationFailed, type TenantId } from '@libs/domain';
import { Prepared, type ActingCaller } from '@libs/http';
import { TenantsRepository } from '@libs/persistence/organization';
import { AccountValidationsRepository } from '@libs/persistence/runtime';
import { CloudProviders } from '../platform/index.js';
import type { AccountVerdictView } from './dto/account-verdict.view.js';
import type { ValidateAccountDto } from './dto/validate-account.dto.js';

/** The caller waits for the provider, so a check has a time limit. */
const LOOK_TIMEOUT_MS = 20_000;

/** Checks accounts of customers before anything is created in them. */
@Injectable()
export class ByocService {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly validations: AccountValidationsRepository,
    private readonly catalog: Catalog,
    private readonly providers: CloudProviders,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  /**
   * Calls the provider before the transaction. The transaction only stores that the account is valid.
   * @throws DomainError validation_failed, plan_feature_required, provider_unavailable
   */
  async validate(actor: ActingCaller, dto: ValidateAccountDto): Promise<Prepared<AccountVerdictView>> {
    const account = accountOf(dto, await this.tenants.externalId(actor.tenantId));
    const verdict = await this.verdictOf(actor.tenantId, account).catch((refusal: unknown) => ({ refusal }));
    return new Prepared(async () => {
      if ('refusal' in verdict) throw verdict.refusal;
      const valid = verdict.error === null && verdict.missing_permissions.length === 0;
      if (valid) await this.validations.stamp(actor.tenantId, keyOf(account));
      return toView(valid, verdict);
    });
  }

  private async verdictOf(tenantId: TenantId, account: CustomerAccount): Promise<AccountVerdict> {
    this.requireRegion(account);
    await this.requireFeature(tenantId);
    return this.askProvider(tenantId, account);
  }

  /**
   * Never tries the role of another tenant: the caller must send the external id of its own tenant, which the trust
   * policy of the role requires.
   */
  private async askProvider(tenantId: TenantId, account: CustomerAccount): Promise<AccountVerdict> {
    if (account.cloud === 'aws' && account.external_id !== (await this.tenants.externalId(tenantId)))
      return {
        error: 'external_id differs from the value that byoc/setup returned to this tenant',
        missing_permissions: [],
      };
    const fault = faultOfOwnership(account, this.config);
    if (fault !== null)
      return {
        error: `${account.cloud === 'aws' ? 'account_id' : 'service_account_email'} ${fault}`,
        missing_permissions: [],
      };
    const provider = this.providers.find(account.cloud);
    if (!provider)
      throw new DomainError('provider_unavailable', `This Supervisor has no driver for the cloud ${account.cloud}.`);
    return provider.validateAccount(account, AbortSignal.timeout(LOOK_TIMEOUT_MS)).catch((cause: unknown) => {
      if (!(cause instanceof CloudError) && !isTimeout(cause)) throw cause;
      throw new DomainError('provider_unavailable', 'The cloud provider does not respond.', { cause });
    });
  }

  private requireRegion({ cloud, region }: CustomerAccount): void {
    if (this.catalog.findRegion(cloud, region)) return;
    throw validationFailed([{ path: '/region', code: 'unknown_region', reason: `is not a region of ${cloud}` }]);
  }

  private async requireFeature(tenantId: TenantId): Promise<void> {
    const plan = await this.tenants.plan(tenantId);
    if (plan && new Entitlements(this.catalog, plan.plan, plan.plan_overrides).has('byoc_enabled')) return;
    throw new DomainError('plan_feature_required', 'The plan does not include byoc_enabled.', {
      members: { feature: 'byoc_enabled' },
    });
  }
}

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** @param ownExternalId of the tenant: the service account at Google must hold it */
function accountOf({ region, ...dto }: ValidateAccountDto, ownExternalId: string): CustomerAccount {
  if (dto.cloud === 'aws') {
    const { account_id = '', identity_arn = '', external_id = '', vpc_id = '' } = dto;
    return { cloud: 'aws', region, account_id, identity_arn, external_id, vpc_id };
  }
  const { project_id = '', service_account_email = '', vpc_name = '' } = dto;
  return { cloud: 'gcp', region, project_id, service_account_email, external_id: ownExternalId, vpc_name };
}

const keyOf = (account: CustomerAccount): { cloud: string; accountId: string } => ({
  cloud: account.cloud,
  accountId: account.cloud === 'aws' ? account.account_id : account.project_id,
});

function toView(valid: boolean, { error, missing_permissions, not_checked }: AccountVerdict): AccountVerdictView {
  const reason = valid ? {} : { error: error ?? 'permissions are missing in the account' };
  return { valid, ...reason, missing_permissions, ...(not_checked && { not_checked }) };
}
