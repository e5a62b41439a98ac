import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { readQuery } from '../../api/read.js';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ButtonRow } from '../../ui/button-row.js';
import { Code } from '../../ui/text/code.js';
import { Facts } from '../../ui/text/facts.js';
import { Problem } from '../../ui/problem.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/text/time.js';
import { Secret } from './new-key.js';

/** One API key: what it may do, from where, and a new secret for it. */
export function KeyScreen() {
  const { tenantId, keyId } = useParams({ from: '/signed-in/t/$tenantId/keys/$keyId' });
  const { data: key, error } = useQuery(readQuery(tenantId, 'apiKeys.get', { api_key_id: keyId }));
  return (
    <>
      <TenantHead
        above={
          <Link to="/t/$tenantId/keys" params={{ tenantId }}>
            API keys
          </Link>
        }
        title={<bdi>{key?.name ?? 'API key'}</bdi>}
      />
      {error && <Problem error={error} />}
      {key && (
        <>
          <Facts
            values={{
              Role: <bdi>{key.role_name}</bdi>,
              Division: <bdi>{key.division_name ?? 'all'}</bdi>,
              Expires: <Time at={key.expiry_at} />,
              'Last use': key.last_used_at === null ? 'never' : <Time at={key.last_used_at} />,
            }}
          />
          <Actions tenantId={tenantId} apiKey={key} />
          <Addresses tenantId={tenantId} apiKey={key} />
          <Section title="Permissions">
            <Code label="Permissions of the key" text={JSON.stringify(key.permissions, null, 2)} />
          </Section>
        </>
      )}
    </>
  );
}

const Addresses = ({ tenantId, apiKey }: { tenantId: number; apiKey: Main.ApiKeyView }) => (
  <Section title="Addresses">
    <RequestForm
      tenantId={tenantId}
      ids={{ api_key_id: apiKey.id }}
      request="apiKeys.restrict"
      own={{ validate_ip: { label: 'Only from these addresses' }, allowed_ips: { label: 'Addresses' } }}
      record={{ ...apiKey }}
      action="Save the addresses"
    />
  </Section>
);

const OVERLAPS = [
  { value: '0', label: 'at once' },
  { value: '3600', label: 'in an hour' },
  { value: '86400', label: 'in a day' },
  { value: '604800', label: 'in a week' },
];

function Actions({ tenantId, apiKey: { id, name } }: { tenantId: number; apiKey: Main.ApiKeyView }) {
  const [made, setMade] = useState<Main.ApiKeyWithSecretView | null>(null);
  const navigate = useNavigate();
  const ids = { api_key_id: id };
  return (
    <Section title="New secret">
      {made && <Secret {...made} />}
      <RequestForm<Main.ApiKeyWithSecretView>
        {...{ tenantId, ids }}
        request="apiKeys.rotate"
        own={{ overlap_seconds: { label: 'The old secret ends', hint: '', choices: OVERLAPS } }}
        initial={{ overlap_seconds: 0 }}
        action="Make a new secret"
        onDone={setMade}
      />
      <ButtonRow>
        <RequestButton
          {...{ tenantId, ids }}
          request="apiKeys.delete"
          action="Delete the key"
          question={`Delete the key ${name}? Programs with the key stop at once.`}
          onDone={() => navigate({ to: '/t/$tenantId/keys', params: { tenantId } })}
        />
      </ButtonRow>
    </Section>
  );
}
