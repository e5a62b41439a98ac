/** The format of a name or id that a cloud assigns. */
export interface Format {
  readonly pattern: RegExp;
  /** The rule that a value with another format violates, for people. */
  readonly reason: string;
}

/** Formats of an AWS account and its resources, by members of the API. */
export const AWS_FORMATS = {
  account_id: { pattern: /^\d{12}$/, reason: 'must be the 12 digits of an AWS account' },
  identity_arn: {
    pattern: /^arn:aws(-cn|-us-gov)?:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
    reason: 'must be the ARN of a role: arn:aws:iam::<12 digits>:role/<name>',
  },
  external_id: {
    // In two parts, because RE2 refuses a repetition of more than 1000.
    pattern: /^[\w+=,.@:/-]{2,1000}[\w+=,.@:/-]{0,224}$/,
    reason: 'must be 2 to 1224 letters, digits and any of _+=,.@:/-',
  },
  vpc_id: {
    pattern: /^vpc-([0-9a-f]{8}|[0-9a-f]{17})$/,
    reason: 'must be vpc- and 8 or 17 hexadecimal digits',
  },
  region: {
    pattern: /^[a-z]{2,4}(-[a-z]{2,9}){1,3}-\d$/,
    reason: 'must be a region of AWS, such as us-east-1',
  },
  principal: {
    pattern: /^arn:aws(-cn|-us-gov)?:iam::\d{12}:(root|(role|user)\/[\w+=,.@/-]{1,512})$/,
    reason: 'must be the ARN of an account, a role or a user: arn:aws:iam::<12 digits>:root',
  },
} as const satisfies Record<string, Format>;

/** Formats of a Google Cloud project and its resources, by members of the API. */
export const GCP_FORMATS = {
  project_id: {
    pattern: /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/,
    reason: 'must be a project id: 6 to 30 lower-case letters, digits and hyphens, a letter first, no hyphen last',
  },
  service_account_email: {
    pattern: /^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\.iam\.gserviceaccount\.com$/,
    reason: 'must be the address of a service account: <name>@<project id>.iam.gserviceaccount.com',
  },
  vpc_name: {
    pattern: /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
    reason: 'must be a network name: up to 63 lower-case letters, digits and hyphens, a letter first, no hyphen last',
  },
} as const satisfies Record<string, Format>;

/** Returns the account of a role. Null: the text is not the ARN of a role. */
export const accountOfRole = (arn: string): string | null => /^arn:[a-z-]+:iam::(\d{12}):role\//.exec(arn)?.[1] ?? null;
