import { statement, type Database } from '../../database.js';

/** An account at a cloud provider. */
export interface AccountKey {
  cloud: string;
  /** AWS account number, or Google Cloud project id. */
  accountId: string;
}

// Only of accounts that the tenant has saved: what nobody reads is not kept.
const STAMP = statement(
  'account_validation.stamp',
  `insert into account_validations (tenant_id, cloud, account_id)
   select $1, $2, $3 where exists(select 1 from cloud_accounts where tenant_id = $1 and cloud = $2 and account_id = $3)
   on conflict (tenant_id, cloud, account_id) do update set validated_at = now()`,
);

/** When accounts of tenants were last found good. */
export class AccountValidationsRepository {
  constructor(private readonly database: Database) {}

  /** Notes that the account was found good just now. */
  async stamp(tenantId: number, { cloud, accountId }: AccountKey): Promise<void> {
    await this.database.execute(STAMP, [tenantId, cloud, accountId]);
  }
}
