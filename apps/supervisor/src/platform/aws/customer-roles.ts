import { readPlaceAccount, type AwsRole, type AwsRoleRows } from '@libs/cloud';
import type { DeploymentAccountsRepository } from '@libs/persistence/runtime';

/** The roles in the accounts of customers, as the orders of their deployments name them. */
export class CustomerRoles implements AwsRoleRows {
  constructor(private readonly accounts: DeploymentAccountsRepository) {}

  async find(account: string, region: string): Promise<AwsRole | null> {
    const { accountId, tenantId } = readPlaceAccount(account);
    if (tenantId === null) return null;
    const access = await this.accounts.access(tenantId, { cloud: 'aws', region, accountId });
    if (!access) return null;
    const { identity_arn = '', external_id = '' } = access;
    return { account_id: accountId, identity_arn, external_id };
  }
}
