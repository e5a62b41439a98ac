import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../../database.js';

/** An account at a cloud provider. */
export interface AccountKey {
  cloud: string;
  /** AWS account number, or Google Cloud project id. */
  accountId: string;
}

// Only for saved accounts of the tenant, because nothing reads other rows.
const STAMP = statement(
  'account_validation.stamp',
  `insert into account_validations (tenant_id, cloud, account_id)
   select $1, $2, $3 where exists(select 1 from cloud_accounts where tenant_id = $1 and cloud = $2 and account_id = $3)
   on conflict (tenant_id, cloud, account_id) do update set validated_at = now()`,
);

/** The last successful validation of tenants' accounts. */
@Injectable()
export class AccountValidationsRepository {
  constructor(private readonly database: Database) {}

  /** Records a successful validation now. */
  async stamp(tenantId: TenantId, { cloud, accountId }: AccountKey): Promise<void> {
    await this.database.execute(STAMP, [tenantId, cloud, accountId]);
  }
}
