import type { Main } from '@landlord/sdk';
import { useState } from 'react';
import { RequestForm } from '../../request/request-form.js';
import { Code } from '../../ui/text/code.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { useRoleChoices } from '../members/role-choices.js';
import { serverNow } from '../../api/clock.js';

/** Creates a key with an existing role. */
export function NewKey({ tenantId }: { tenantId: number }) {
  const [made, setMade] = useState<Main.ApiKeyWithSecretView | null>(null);
  const roles = useRoleChoices(tenantId);
  if (made) return <Secret {...made} />;
  return (
    <Disclosure title="New key">
      <RequestForm<Main.ApiKeyWithSecretView>
        tenantId={tenantId}
        request="apiKeys.create"
        fields={['name', 'role_id', 'expiry_at', 'validate_ip', 'allowed_ips']}
        own={{
          role_id: {
            label: 'Role',
            isRequired: true,
            choices: roles,
          },
          expiry_at: { label: 'Valid for', hint: '', choices: VALIDITIES },
        }}
        initial={{ expiry_at: inDays(30) }}
        action="Create the key"
        onDone={setMade}
      />
    </Disclosure>
  );
}

/** The secret of a key, once. */
export const Secret = ({ name, secret }: Main.ApiKeyWithSecretView) => (
  <section role="status">
    <p>
      The key <bdi>{name}</bdi> is ready. Copy its secret now: nobody can read the secret again.
    </p>
    <Code label="Secret" text={secret} />
  </section>
);

const DAY_MS = 86_400_000;

/** The full hour before the end of the days, so that the same choice has the same value through an hour. */
function inDays(days: number): string {
  const end = new Date(serverNow() + days * DAY_MS);
  end.setUTCMinutes(0, 0, 0);
  return end.toISOString();
}

/** How long a new key lives. */
const VALIDITIES = [7, 30, 90, 365].map((days) => ({ value: inDays(days), label: `${days} days` }));
