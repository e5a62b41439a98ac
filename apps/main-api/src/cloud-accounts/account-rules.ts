import { canonicalRange, type FieldIssue } from '@libs/domain';
import { z } from 'zod';
import type { AccountCloud } from './dto/cloud-account.view.js';

const ACCOUNT_IDS: Record<AccountCloud, { pattern: RegExp; reason: string }> = {
  aws: { pattern: /^\d{12}$/, reason: 'must be the 12 digits of an AWS account' },
  gcp: {
    pattern: /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/,
    reason: 'must be a project id: 6 to 30 lower-case letters, digits and hyphens, a letter first, no hyphen last',
  },
};

const isIpv4Network = (text: string): boolean =>
  text.includes('/') && !text.includes(':') && canonicalRange(text) === text;

const vpcCidr = z
  .string('must be text')
  .refine(isIpv4Network, 'must be an IPv4 network without host bits, such as 10.0.0.0/16')
  .optional();
const text = (pattern: RegExp, reason: string) => z.string('must be text').regex(pattern, reason);

const SETTINGS = {
  aws: z.strictObject({
    aws: z.strictObject(
      {
        identity_arn: text(
          /^arn:aws(-cn|-us-gov)?:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
          'must be the ARN of a role: arn:aws:iam::<12 digits>:role/<name>',
        ),
        external_id: text(/^[\w+=,.@:/-]{2,1224}$/, 'must be 2 to 1224 letters, digits and any of _+=,.@:/-'),
        vpc_id: text(/^vpc-([0-9a-f]{8}|[0-9a-f]{17})$/, 'must be vpc- and 8 or 17 hexadecimal digits'),
        vpc_cidr: vpcCidr,
      },
      { error: (issue) => (issue.code === 'invalid_type' ? 'must be a JSON object' : undefined) },
    ),
  }),
  gcp: z.strictObject({
    gcp: z.strictObject(
      {
        vpc_network: text(
          /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
          'must be a network name: up to 63 lower-case letters, digits and hyphens, a letter first, no hyphen last',
        ).optional(),
        vpc_cidr: vpcCidr,
      },
      { error: (issue) => (issue.code === 'invalid_type' ? 'must be a JSON object' : undefined) },
    ),
  }),
} satisfies Record<AccountCloud, z.ZodType>;

/** What is judged by the cloud of an account. */
export interface JudgedAccount {
  cloud: AccountCloud;
  accountId: string;
  settings: unknown;
}

/** Every fault of account id and settings (spec, "Cloud account"). */
export function accountIssues({ cloud, accountId, settings }: JudgedAccount): FieldIssue[] {
  const { pattern, reason } = ACCOUNT_IDS[cloud];
  const ofId = pattern.test(accountId) ? [] : [{ path: '/account_id', code: 'format', reason }];
  return [...ofId, ...(settings === null ? [] : settingsIssues(cloud, settings))];
}

function settingsIssues(cloud: AccountCloud, settings: unknown): FieldIssue[] {
  const parsed = SETTINGS[cloud].safeParse(settings);
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => toIssues(cloud, settings, issue));
}

function toIssues(cloud: AccountCloud, settings: unknown, issue: z.core.$ZodIssue): FieldIssue[] {
  const path = ['', 'settings', ...issue.path.map(String)].join('/');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      code: 'unknown_field',
      reason: issue.path.length === 0 ? `is not of this cloud, which is ${cloud}` : 'is not a setting of this cloud',
    }));
  const isMissing = valueAt(settings, issue.path) === undefined;
  return [{ path, code: isMissing ? 'required' : 'format', reason: isMissing ? 'is missing' : issue.message }];
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((inner, name) => (inner as Record<PropertyKey, unknown> | undefined)?.[name], value);
