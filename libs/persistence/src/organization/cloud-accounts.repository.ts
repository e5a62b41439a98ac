import { Injectable } from '@nestjs/common';
import type { CloudAccountId, TenantId } from '@libs/domain';
import { caseless, containing, equalTo } from '../conditions.js';
import { statement, Database } from '../database.js';
import type { SecretLocation } from '../sealed-columns.js';
import { Secrets } from '../secrets.js';
import { byName, byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import { CloudAccount as CloudAccountEntity } from './entities/cloud-account.entity.js';

/** An account of the tenant at its cloud provider, as it appears in lists. */
export interface CloudAccountItem extends Pick<CloudAccountEntity, 'id' | 'cloud' | 'name' | 'region' | 'status'> {
  accountId: string;
  validatedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** An account with the members that lists omit. */
export interface CloudAccount extends CloudAccountItem {
  /** Stored under the name of the cloud (C-13.6). Null for none. */
  settings: Record<string, unknown> | null;
  remarks: string | null;
}

/** Members that a request can change. */
export type CloudAccountChanges = Partial<
  Pick<CloudAccount, 'name' | 'accountId' | 'region' | 'settings' | 'remarks' | 'status'>
>;

/** Whether an account may be used. */
export type AccountStatus = Pick<CloudAccountItem, 'id' | 'name' | 'status'>;

export interface CloudAccountFilter {
  /** Substring of the name, case-insensitive. */
  name: string | null;
  cloud: string | null;
  /** Substring of the region, case-insensitive. */
  region: string | null;
  status: string | null;
}

type Row = Omit<CloudAccount, 'settings'> & { settings: string | null };

// A validation is valid only for the account and settings that it checked.
const COLUMNS = `id, cloud, name, account_id as "accountId", region, status,
  (select v.validated_at from account_validations v where v.tenant_id = a.tenant_id and v.cloud = a.cloud
      and v.account_id = a.account_id and v.validated_at > a.unproven_since) as "validatedAt",
  created_at as "createdAt", updated_at as "updatedAt"`;
// Uses strpos instead of LIKE, because the filter text has no wildcards.
const WANTED = `tenant_id = $1 and ${containing('name', 2)} and ${equalTo('cloud', 3)} and ${containing('region', 4)}
  and ${equalTo('status', 5)}`;

const LIST = paged('cloud_account.list', {
  columns: COLUMNS,
  rows: `from cloud_accounts a where ${WANTED}`,
  id: 'id',
  keys: { name: byName('name'), created_at: byTime('created_at') },
});
const FIND = statement(
  'cloud_account.find',
  `select ${COLUMNS}, settings, nullif(remarks, '') as remarks from cloud_accounts a where tenant_id = $1 and id = $2`,
);
const LOCK = statement(
  'cloud_account.lock',
  `select ${COLUMNS}, settings, nullif(remarks, '') as remarks from cloud_accounts a where tenant_id = $1 and id = $2 for update of a`,
);
// Locks the rows, so that no account is locked or deleted while a deployment is created in it.
const OF_ACCOUNT = statement(
  'cloud_account.of_account',
  `select id, name, status from cloud_accounts where tenant_id = $1 and cloud = $2 and account_id = $3
    order by id desc for share`,
);

const now = (): string => 'now()';

const locationOf = (id: CloudAccountId): SecretLocation => ({ table: 'cloud_accounts', column: 'settings', row: id });

/** Cloud accounts of a tenant. Every statement has the tenant. */
@Injectable()
export class CloudAccountsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  async list(tenantId: TenantId, filter: CloudAccountFilter, request: PageRequest): Promise<PageOf<CloudAccountItem>> {
    const values = [tenantId, filter.name, filter.cloud, filter.region, filter.status];
    return readPage<CloudAccountItem>(this.database, LIST, values, request);
  }

  async find(tenantId: TenantId, id: CloudAccountId): Promise<CloudAccount | null> {
    const [row] = await this.database.query<Row>(FIND, [tenantId, id]);
    return row ? this.opened(row) : null;
  }

  /** Reads the account and locks it until the transaction ends. */
  async findForUpdate(tenantId: TenantId, id: CloudAccountId): Promise<CloudAccount | null> {
    const [row] = await this.database.query<Row>(LOCK, [tenantId, id]);
    return row ? this.opened(row) : null;
  }

  async findIdByName(tenantId: TenantId, name: string): Promise<number | null> {
    const where = { tenant_id: tenantId, name: caseless(name) };
    const account = await this.database.repository(CloudAccountEntity).findOne({ select: { id: true }, where });
    return account?.id ?? null;
  }

  /** The records of one account at its provider, newest first. Locks them until the transaction ends. */
  async ofAccount(tenantId: TenantId, cloud: string, accountId: string): Promise<AccountStatus[]> {
    return this.database.query<AccountStatus>(OF_ACCOUNT, [tenantId, cloud, accountId]);
  }

  async count(tenantId: TenantId): Promise<number> {
    return this.database.repository(CloudAccountEntity).countBy({ tenant_id: tenantId });
  }

  /** Returns the new id. */
  async insert(
    tenantId: TenantId,
    account: Pick<CloudAccount, 'cloud' | 'name' | 'accountId' | 'region' | 'settings' | 'remarks'>,
  ): Promise<number> {
    const { cloud, name, accountId, region, settings, remarks } = account;
    const values = { tenant_id: tenantId, cloud, name, account_id: accountId, region, remarks };
    const { identifiers } = await this.database.repository(CloudAccountEntity).insert(values);
    const id: CloudAccountId = Number(identifiers[0]?.['id']);
    // The ciphertext is bound to the id of the row, so the row must exist first.
    if (settings)
      await this.database
        .repository(CloudAccountEntity)
        .update({ id, tenant_id: tenantId }, { settings: this.sealed(id, settings) });
    return id;
  }

  /** Writes the current values. `isUnproven`: a change invalidates the last validation. */
  async update(tenantId: TenantId, account: CloudAccount, isUnproven: boolean): Promise<void> {
    const { id, name, accountId, region, settings, remarks, status } = account;
    const values = {
      name,
      account_id: accountId,
      region,
      settings: settings && this.sealed(id, settings),
      remarks,
      status,
    };
    await this.database
      .repository(CloudAccountEntity)
      .update({ id, tenant_id: tenantId }, { ...values, updated_at: now, ...(isUnproven && { unproven_since: now }) });
  }

  async delete(tenantId: TenantId, id: CloudAccountId): Promise<void> {
    await this.database.repository(CloudAccountEntity).delete({ id, tenant_id: tenantId });
  }

  private sealed(id: CloudAccountId, settings: Record<string, unknown>): string {
    return this.secrets.seal(locationOf(id), JSON.stringify(settings));
  }

  private opened(row: Row): CloudAccount {
    const text = row.settings === null ? null : this.secrets.open(locationOf(row.id), row.settings);
    return { ...row, settings: text === null ? null : (JSON.parse(text) as Record<string, unknown>) };
  }
}
