import type { TenantId } from '@libs/domain';

/** A customer's account for a driver, with the members of the API (C-13.9). */
export type CustomerAccount =
  | {
      cloud: 'aws';
      region: string;
      account_id: string;
      /** The role that the driver assumes. */
      identity_arn: string;
      external_id: string;
      vpc_id: string;
    }
  | {
      cloud: 'gcp';
      region: string;
      project_id: string;
      /** The service account that the driver impersonates. */
      service_account_email: string;
      /** The description of the service account has it. */
      external_id: string;
      vpc_name: string;
    };

/** A customer's account, and the tenant whose role gives the access. */
export interface TenantAccount {
  accountId: string;
  /** Null for a resource that an earlier release recorded. */
  tenantId: TenantId | null;
}

/**
 * The account of a place (`Place.account`). It names the tenant, because two tenants can name the same account: the role of one
 * tenant must not serve the deployments of the other one.
 */
export const placeAccount = (accountId: string, tenantId: TenantId): string => `${accountId}/${tenantId}`;

export function readPlaceAccount(account: string): TenantAccount {
  const [accountId = '', tenant] = account.split('/');
  return { accountId, tenantId: tenant === undefined ? null : Number(tenant) };
}

/** The result of a check of an account. */
export interface AccountVerdict {
  /** The reason, for people, why the account is unusable. Null when the driver can access it. */
  error: string | null;
  /** Permissions that the driver needs and lacks, with the cloud's names. */
  missing_permissions: string[];
  /** What the cloud has no question for, in words for people. Left out when everything was checked. */
  not_checked?: string[];
}
