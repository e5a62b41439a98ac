import type { CloudAccount, CloudAccountChanges, CloudAccountItem } from '@libs/persistence/organization';
import type { CloudAccountItemView, CloudAccountView } from './dto/cloud-account.view.js';

export const toItemView = (account: CloudAccountItem): CloudAccountItemView => ({
  id: account.id,
  cloud: account.cloud,
  name: account.name,
  account_id: account.accountId,
  region: account.region,
  status: account.status,
  validated_at: account.validatedAt?.toISOString() ?? null,
  created_at: account.createdAt.toISOString(),
  updated_at: account.updatedAt.toISOString(),
});

export const toView = (account: CloudAccount): CloudAccountView => ({
  id: account.id,
  cloud: account.cloud,
  name: account.name,
  account_id: account.accountId,
  region: account.region,
  status: account.status,
  settings: account.settings,
  remarks: account.remarks,
  created_at: account.createdAt.toISOString(),
  updated_at: account.updatedAt.toISOString(),
});

/**
 * Returns the data of an account for the audit record. Without its settings, because they describe the access to the
 * account.
 */
export const createdData = ({ cloud, name, accountId, region }: CloudAccount): object => ({
  cloud,
  name,
  account_id: accountId,
  region,
});

/** Returns the changes and the previous values. For settings only that they changed. */
export function changedData(before: CloudAccount, { settings, ...changes }: CloudAccountChanges): object {
  const previous = Object.fromEntries(Object.keys(changes).map((name) => [name, before[name as keyof CloudAccount]]));
  return {
    ...spelled(changes),
    ...(settings !== undefined && { settings_changed: true }),
    previous: spelled(previous),
  };
}

/** With the names of the API. */
const spelled = ({ accountId, ...rest }: { accountId?: unknown }): object => ({
  ...rest,
  ...(accountId !== undefined && { account_id: accountId }),
});
