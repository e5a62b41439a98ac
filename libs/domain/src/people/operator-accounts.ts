import { z } from 'zod';
import { AWS_FORMATS, GCP_FORMATS } from './account-formats.js';

/** The accounts of the operator at the clouds, which the roles of customers trust. Both apps refuse them as accounts of customers. */
export const OPERATOR_ACCOUNT_SETTINGS = {
  BYOC_AWS_ACCOUNT_ID: z
    .string()
    .regex(AWS_FORMATS.account_id.pattern, AWS_FORMATS.account_id.reason)
    .default('000000000000')
    .describe(
      'The AWS account of the operator. The roles of customers trust this account. The default account does not exist.',
    ),
  BYOC_GCP_SERVICE_ACCOUNT: z
    .string()
    .regex(GCP_FORMATS.service_account_email.pattern, GCP_FORMATS.service_account_email.reason)
    .default('landlord@landlord-local.iam.gserviceaccount.com')
    .describe(
      'The Google Cloud service account of the operator. It impersonates the service accounts of customers. The default account does not exist.',
    ),
};

/** The accounts of the operator, by the names of their settings. */
export interface OperatorAccounts {
  BYOC_AWS_ACCOUNT_ID: string;
  BYOC_GCP_SERVICE_ACCOUNT: string;
}

/** The operator's own account is no account of a customer: roles there often trust every principal of it. Null: it is another one. */
export function faultOfOwnership(
  account: { account_id?: string | undefined; service_account_email?: string | undefined },
  { BYOC_AWS_ACCOUNT_ID: operatorAccount, BYOC_GCP_SERVICE_ACCOUNT: serviceAccount }: OperatorAccounts,
): string | null {
  if (account.account_id === operatorAccount) return 'is the account of the operator, not of a customer';
  const email = account.service_account_email?.toLowerCase();
  return email === serviceAccount.toLowerCase() ? 'is the service account of the operator, not of a customer' : null;
}
