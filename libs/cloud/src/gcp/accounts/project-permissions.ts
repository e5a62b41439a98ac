import { CloudError } from '../../cloud-error.js';
import { faultIn } from '../gcp-api.js';
import { cloudErrorOf } from '../gcp-refusal.js';

const GOOGLE = 'https://cloudresourcemanager.googleapis.com';
const ANSWER_TIMEOUT_MS = 20_000;
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
    const asked = permissions.slice(from, from + AT_ONCE);
    const given = await ask(`${endpoint ?? GOOGLE}/v3/projects/${project}:testIamPermissions`, token, asked);
    missing.push(...asked.filter((one) => !given.includes(one)));
  }
  return missing;
}

async function ask(url: string, token: string, permissions: readonly string[]): Promise<readonly string[]> {
  const answer = await fetch(url, {
    ...{ method: 'POST', redirect: 'error', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ permissions }),
  }).catch((cause: unknown) => {
    throw new CloudError({ code: 'unavailable' }, 'Google testIamPermissions: no answer', { cause });
  });
  const text = await answer.text();
  if (!answer.ok)
    throw cloudErrorOf(faultIn(answer.status, text), { action: 'testIamPermissions', isOfCustomer: true });
  return (JSON.parse(text) as { permissions?: string[] }).permissions ?? [];
}
