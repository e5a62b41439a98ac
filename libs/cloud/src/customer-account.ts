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
      vpc_name: string;
    };

/** The result of a check of an account. */
export interface AccountVerdict {
  /** The reason, for people, why the account is unusable. Null when the driver can access it. */
  error: string | null;
  /** Permissions that the driver needs and lacks, with the cloud's names. */
  missing_permissions: string[];
}
