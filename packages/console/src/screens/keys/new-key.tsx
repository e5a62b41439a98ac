import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rolesQuery } from '../../api/queries/organization.js';
import { RequestForm } from '../../request/request-form.js';
import { Code } from '../../ui/code.js';
import { inDays, VALIDITIES } from './validity.js';

/** Creates a key with an existing role. */
export function NewKey({ tenantId }: { tenantId: number }) {
  const [made, setMade] = useState<Main.ApiKeyWithSecretView | null>(null);
  const { data: roles } = useQuery({ ...rolesQuery(tenantId), throwOnError: false });
  if (made) return <Secret {...made} />;
  return (
    <details>
      <summary>New key</summary>
      <RequestForm<Main.ApiKeyWithSecretView>
        tenantId={tenantId}
        request="apiKeys.create"
        fields={['name', 'role_id', 'expiry_at', 'validate_ip', 'allowed_ips']}
        own={{
          role_id: {
            label: 'Role',
            choices: (roles?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          },
          expiry_at: { label: 'Valid for', hint: '', choices: VALIDITIES },
        }}
        initial={{ expiry_at: inDays(30) }}
        action="Create the key"
        onDone={setMade}
      />
    </details>
  );
}

const Secret = ({ name, secret }: Main.ApiKeyWithSecretView) => (
  <section role="status">
    <p>
      The key <bdi>{name}</bdi> is ready. Copy its secret now: nobody can read the secret again.
    </p>
    <Code label="Secret" text={secret} />
  </section>
);
