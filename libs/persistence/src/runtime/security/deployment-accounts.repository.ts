import { Injectable } from '@nestjs/common';
import type { DeploymentId, TenantId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { Secrets } from '../../secrets.js';
import { DeploymentAccount as DeploymentAccountEntity } from '../entities/deployment-account.entity.js';

/** The customer's cloud account of a deployment. */
export interface DeploymentAccount {
  /** AWS account number, or Google Cloud project id. */
  accountId: string;
  /** The customer's network: the id of a VPC at AWS, or the name of a network at Google Cloud. */
  vpcId: string | null;
  /** IPv4 network of the customer's VPC. Null when it was not given. */
  vpcCidr: string | null;
  /** The access data for the driver, by members of the API. */
  access: Record<string, string>;
}

// A tenant can give another role with a newer deployment.
const ACCESS = statement(
  'deployment_account.access',
  `select a.deployment_id, a.access
     from deployments d join deployment_accounts a on a.deployment_id = d.id
    where d.tenant_id = $1 and d.cloud = $2 and d.region = $3 and a.account_id = $4
    order by d.id desc limit 1`,
);

/** An account of a customer in a region. */
export interface AccountInRegion {
  cloud: string;
  region: string;
  accountId: string;
}

/** Customers' accounts, by deployment. */
@Injectable()
export class DeploymentAccountsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Call it in the transaction that requests the deployment. */
  async insert(deploymentId: DeploymentId, { accountId, vpcId, vpcCidr, access }: DeploymentAccount): Promise<void> {
    const location = { table: 'deployment_accounts', column: 'access', row: deploymentId } as const;
    const sealed = this.secrets.seal(location, JSON.stringify(access));
    await this.database.repository(DeploymentAccountEntity).insert({
      ...{ deployment_id: deploymentId, account_id: accountId, vpc_id: vpcId, vpc_cidr: vpcCidr, access: sealed },
    });
  }

  /** The access data of the tenant for the account, from its newest deployment there. Null: it has no deployment there. */
  async access(
    tenantId: TenantId,
    { cloud, region, accountId }: AccountInRegion,
  ): Promise<Record<string, string> | null> {
    const rows = await this.database.query<{ deployment_id: DeploymentId; access: string }>(ACCESS, [
      ...[tenantId, cloud, region, accountId],
    ]);
    const [row] = rows;
    if (!row) return null;
    const location = { table: 'deployment_accounts', column: 'access', row: row.deployment_id } as const;
    return JSON.parse(this.secrets.open(location, row.access)) as Record<string, string>;
  }
}
