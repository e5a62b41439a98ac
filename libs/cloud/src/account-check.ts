import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountOfRole, AWS_FORMATS, GCP_FORMATS, type Format } from '@libs/domain';
import { CloudError } from './cloud-error.js';
import type { AccountVerdict, CustomerAccount } from './customer-account.js';

/**
 * File in the data directory: `{"<account or project id>": ["ec2:RunInstances"]}`. For tests of clients with missing
 * permissions.
 */
export const MISSING_PERMISSIONS_FILE = 'byoc-missing-permissions.json';

/**
 * This machine simulates the customer's account. The check validates the spelling and the consistency of the input. The missing
 * permissions come from a file of the operator.
 * @throws CloudError when the file has another format
 */
export async function checkLocally(account: CustomerAccount, dataDir: string): Promise<AccountVerdict> {
  const error = account.cloud === 'aws' ? faultOfAws(account) : faultOfGcp(account);
  if (error !== null) return { error, missing_permissions: [] };
  const id = account.cloud === 'aws' ? account.account_id : account.project_id;
  return { error, missing_permissions: (await missingPermissions(dataDir)).get(id) ?? [] };
}

/** The first mistake in the spelling, or in how the members fit together. Null: none. */
export function faultOfAws(account: CustomerAccount & { cloud: 'aws' }): string | null {
  const misspelled = faultOfSpelling(AWS_FORMATS, account);
  if (misspelled !== null) return misspelled;
  const owner = accountOfRole(account.identity_arn);
  return owner === account.account_id
    ? null
    : `identity_arn is a role of account ${owner ?? 'nobody'}, not of ${account.account_id}`;
}

/** The first mistake in the spelling. Null: none. The service account may be one of another project of the customer. */
export const faultOfGcp = (account: CustomerAccount & { cloud: 'gcp' }): string | null =>
  faultOfSpelling(GCP_FORMATS, account);

function faultOfSpelling(formats: Record<string, Format>, account: Record<string, string>): string | null {
  const wrong = Object.keys(account).find((name) => formats[name]?.pattern.test(account[name] ?? '') === false);
  return wrong === undefined ? null : `${wrong} ${formats[wrong]?.reason}`;
}

async function missingPermissions(dataDir: string): Promise<Map<string, string[]>> {
  const file = join(dataDir, MISSING_PERMISSIONS_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return new Map(Object.entries(objectOf(JSON.parse(text))).map(([id, names]) => [id, textsOf(names)]));
  } catch (cause) {
    const reason = 'must be a JSON object of lists of permissions, by account or project id';
    throw new CloudError({ code: 'invalid' }, `${MISSING_PERMISSIONS_FILE} ${reason}`, { cause });
  }
}

/** @throws TypeError for anything except an object, so that a mistake of the operator does not mean "all is allowed" */
function objectOf(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  return value;
}

/** @throws TypeError for anything except a list of texts */
function textsOf(names: unknown): string[] {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new TypeError('no list of texts');
  return names;
}
