import { cloudErrorOf } from '../gcp-refusal.js';
import { askGoogle } from '../google-request.js';

const GOOGLE = 'https://cloudresourcemanager.googleapis.com';
/** Google answers for this many permissions at once. */
const AT_ONCE = 100;

export interface PermissionQuestion {
  token: string;
  project: string;
  permissions: readonly string[];
}

/** The permissions that the owner of the token does not have in the project. Google says so without a change. */
export async function missingPermissions(
  endpoint: string | undefined,
  { token, project, permissions }: PermissionQuestion,
): Promise<string[]> {
  const missing: string[] = [];
  for (let from = 0; from < permissions.length; from += AT_ONCE) {
    const batch = permissions.slice(from, from + AT_ONCE);
    const granted = await ask(`${endpoint ?? GOOGLE}/v3/projects/${project}:testIamPermissions`, token, batch);
    missing.push(...batch.filter((one) => !granted.includes(one)));
  }
  return missing;
}

async function ask(url: string, token: string, permissions: readonly string[]): Promise<readonly string[]> {
  const action = 'testIamPermissions';
  const answer = await askGoogle({ method: 'POST', url, token, body: { permissions }, action });
  if (answer.fault) throw cloudErrorOf(answer.fault, { action, isOfCustomer: true });
  return (answer.body as { permissions?: string[] }).permissions ?? [];
}
