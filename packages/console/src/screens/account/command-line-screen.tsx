import type { Main } from '@landlord/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { landlordOf } from '../../api/client.js';
import { accountQuery } from '../../api/session.js';
import { useMissing } from '../../request/use-missing.js';
import { SelectField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import styles from './account.module.css';
import { SignedInAs } from './signed-in-as.js';

/**
 * `landlord login --browser` opens this page. The page itself gives nothing away, because every site can link to it.
 * The API checks that the code goes to a port of this computer.
 */
export function CommandLineScreen() {
  const request = useSearch({ from: '/signed-in/command-line' });
  const { data: account } = useQuery(accountQuery);
  const tenants = account?.tenants.filter(({ active }) => active) ?? [];
  return (
    <div className={styles['sections']}>
      <h1>Create a key for the command line?</h1>
      <div>
        <p>
          The command line{' '}
          <strong>
            <bdi>{request.name}</bdi>
          </strong>{' '}
          on this computer asks for an API key. The key has all your permissions in the organization, for 90 days. If
          you did not start <code>landlord login</code> yourself, close this page: nothing happens.
        </p>
        <KeyForm request={request} tenants={tenants} />
      </div>
      <SignedInAs />
    </div>
  );
}

interface KeyFormProps {
  request: Main.CreateLoginCodeDto;
  tenants: readonly Main.AccountTenantView[];
}

function KeyForm({ request, tenants }: KeyFormProps) {
  const [chosen, choose] = useState(String(tenants[0]?.id ?? ''));
  const tenantId = Number(chosen);
  const refusal = useMissing(tenantId, 'api_key:manage');
  const create = useMutation({
    mutationFn: (): Promise<Main.LoginCodeView> => landlordOf(tenantId).loginCodes.create(request),
    // The API has checked that the address is a port of this computer.
    onSuccess: ({ redirect_to }) => location.assign(redirect_to),
  });
  const choices = tenants.map(({ id, name }) => ({ value: String(id), label: name }));
  const field = { label: 'Organization', name: 'tenant_id', choices } as const;
  return (
    <Form
      action="Create the key"
      send={create}
      disabledReason={chosen === '' ? 'You are a member of no organization.' : refusal}
    >
      <SelectField {...field} value={chosen} onChange={choose} />
    </Form>
  );
}
