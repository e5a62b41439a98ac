import { statement, type Database } from '../../database.js';
import type { Secrets } from '../../secrets.js';

/** The account of a customer that a deployment is in. */
export interface DeploymentAccount {
  /** AWS account number, or Google Cloud project id. */
  accountId: string;
  /** IPv4 network of the customer's VPC; null when it was not told. */
  vpcCidr: string | null;
  /** What a driver needs to act there, by the members of the API. */
  access: Record<string, string>;
}

const INSERT = statement(
  'deployment_account.insert',
  'insert into deployment_accounts (deployment_id, account_id, vpc_cidr, access) values ($1, $2, $3, $4)',
);

/** Accounts of customers, by the deployments in them. */
export class DeploymentAccountsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** In the transaction that asks for the deployment. */
  async insert(deploymentId: number, { accountId, vpcCidr, access }: DeploymentAccount): Promise<void> {
    const place = { table: 'deployment_accounts', column: 'access', row: deploymentId } as const;
    const sealed = this.secrets.seal(place, JSON.stringify(access));
    await this.database.execute(INSERT, [deploymentId, accountId, vpcCidr, sealed]);
  }
}
