import type { ApiKeyId, TenantId } from '@libs/domain';
import { KeyCommands } from '@libs/operator';
import { fields, printJson, printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

/** `landlord ops keys list` */
export async function listKeys({ tenant, ...output }: Output & { tenant: TenantId }): Promise<void> {
  const rows = await withSession((session) => new KeyCommands(session).list(tenant));
  printList(
    rows,
    {
      ...fields('id', 'name'),
      role: (row) => row.role_name,
      division: (row) => row.division_id,
      created: (row) => row.created_at,
      expires: (row) => row.expiry_at,
      state: (row) => (row.is_expired ? 'expired' : 'valid'),
    },
    output,
    'The tenant has no keys.',
  );
}

export interface IssueKeyOptions extends Output {
  tenant: TenantId;
  role: string;
  name: string;
  days: number;
}

/** `landlord ops keys issue` */
export async function issueKey({ tenant, role, name, days, json }: IssueKeyOptions): Promise<void> {
  const key = await withSession((session) => new KeyCommands(session).issue({ tenantId: tenant, role, name, days }));
  if (json) return printJson(key);
  say(
    `Key ${key.id} (${key.name}) of tenant ${tenant}, role ${key.role_name}, valid until ${key.expiry_at.toISOString()}.`,
  );
  say('Landlord shows the secret of the key only now:');
  say(key.secret);
}

/** `landlord ops keys revoke <id>` */
export async function revokeKey(id: ApiKeyId): Promise<void> {
  const { name, tenant_id } = await withSession((session) => new KeyCommands(session).revoke(id));
  say(`Key ${id} (${name}) of tenant ${tenant_id} is deleted. The APIs refuse this key.`);
}
