import { readPlaceAccount, type GcpServiceAccount, type GcpServiceAccountRows } from '@libs/cloud';
import type { TenantsRepository } from '@libs/persistence/organization';
import type { DeploymentAccountsRepository } from '@libs/persistence/runtime';

/** The service accounts in the projects of customers, as the orders of their deployments name them. */
export class CustomerServiceAccounts implements GcpServiceAccountRows {
  constructor(
    private readonly accounts: DeploymentAccountsRepository,
    private readonly tenants: TenantsRepository,
  ) {}

  /** With the external id of the tenant of the place, so that no tenant can use the service account of another one. */
  async find(account: string, region: string): Promise<GcpServiceAccount | null> {
    const { accountId, tenantId } = readPlaceAccount(account);
    if (tenantId === null) return null;
    const access = await this.accounts.access(tenantId, { cloud: 'gcp', region, accountId });
    if (!access) return null;
    const { service_account_email = '' } = access;
    return { service_account_email, external_id: await this.tenants.externalId(tenantId) };
  }
}
