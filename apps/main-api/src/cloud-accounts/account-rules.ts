import { AWS_FORMATS, GCP_FORMATS, readPeerNetwork, type FieldIssue, type Format } from '@libs/domain';
import { z } from 'zod';
import type { AccountCloud } from './dto/cloud-account.view.js';

const ACCOUNT_IDS: Record<AccountCloud, Format> = { aws: AWS_FORMATS.account_id, gcp: GCP_FORMATS.project_id };

/** A stored form is the canonical one: a record of an account is compared member by member. */
const vpcCidr = (cloud: AccountCloud) =>
  z
    .string('must be text')
    .superRefine((network, context) => {
      const { range, fault } = readPeerNetwork(cloud, network);
      if (range !== network) context.addIssue({ code: 'custom', message: fault ?? `must be written ${range}` });
    })
    .optional();
const text = ({ pattern, reason }: Format) => z.string('must be text').regex(pattern, reason);

const SETTINGS = {
  aws: z.strictObject({
    aws: z.strictObject(
      {
        identity_arn: text(AWS_FORMATS.identity_arn),
        external_id: text(AWS_FORMATS.external_id),
        vpc_id: text(AWS_FORMATS.vpc_id),
        vpc_cidr: vpcCidr('aws'),
      },
      { error: (issue) => (issue.code === 'invalid_type' ? 'must be a JSON object' : undefined) },
    ),
  }),
  gcp: z.strictObject({
    gcp: z.strictObject(
      {
        vpc_network: text(GCP_FORMATS.vpc_name).optional(),
        vpc_cidr: vpcCidr('gcp'),
      },
      { error: (issue) => (issue.code === 'invalid_type' ? 'must be a JSON object' : undefined) },
    ),
  }),
} satisfies Record<AccountCloud, z.ZodType>;

/** The parts of an account that are checked by its cloud. */
export interface JudgedAccount {
  cloud: AccountCloud;
  accountId: string;
  settings: unknown;
}

/** Returns every fault of account id and settings (C-13.6). */
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
      reason:
        issue.path.length === 0 ? `is a setting of another cloud, not of ${cloud}` : 'is not a setting of this cloud',
    }));
  const isMissing = valueAt(settings, issue.path) === undefined;
  return [{ path, code: isMissing ? 'required' : 'format', reason: isMissing ? 'is missing' : issue.message }];
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((inner, name) => (inner as Record<PropertyKey, unknown> | undefined)?.[name], value);
