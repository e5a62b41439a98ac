import { Injectable } from '@nestjs/common';
import type { DeploymentId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { Secrets } from '../../secrets.js';

/** The customer's cloud account of a deployment. */
export interface DeploymentAccount {
  /** AWS account number, or Google Cloud project id. */
  accountId: string;
  /** The customer's VPC at AWS. Null at other clouds. */
  vpcId: string | null;
  /** IPv4 network of the customer's VPC. Null when it was not given. */
  vpcCidr: string | null;
  /** The access data for the driver, by members of the API. */
  access: Record<string, string>;
}

const INSERT = statement(
  'deployment_account.insert',
  'insert into deployment_accounts (deployment_id, account_id, vpc_id, vpc_cidr, access) values ($1, $2, $3, $4, $5)',
);

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
    await this.database.execute(INSERT, [deploymentId, accountId, vpcId, vpcCidr, sealed]);
  }
}
