/** A customer's account that a driver would act in, by the members of the API (C-13.9). */
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
      /** The service account that the driver acts as. */
      service_account_email: string;
      vpc_name: string;
    };

/** What a look into an account showed. */
export interface AccountVerdict {
  /** Why the account cannot be used, for people; null when it can be got into. */
  error: string | null;
  /** What the driver needs there and may not do, in the cloud's own words. */
  missing_permissions: string[];
}
