import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { RequestButton } from '../../request/request-button.js';
import { Time } from '../../ui/text/time.js';
import { Filters, LONGEST } from '../../ui/list/filters.js';
import { List } from '../../ui/list/list.js';
import type { Column } from '../../ui/list/table.js';
import { NewKey } from './new-key.js';

const FIELDS = [{ name: 'name', label: 'Name of the key', longest: LONGEST }];

/** The API keys of an organization. A secret is shown once, at its creation. */
export function KeysScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/keys' });
  const { page = 1, ...filter } = useSearch({ from: '/signed-in/t/$tenantId/keys' });
  const keys = useQuery(readQuery(tenantId, 'apiKeys.list', { page, ...filter }));
  return (
    <>
      <TenantHead title="API keys" />
      <NewKey tenantId={tenantId} />
      <Filters fields={FIELDS} values={filter} />
      <List
        label="API keys"
        query={keys}
        columns={columnsOf(tenantId)}
        keyOf={({ id }) => id}
        empty="There is no such key."
      />
    </>
  );
}

const columnsOf = (tenantId: number): readonly Column<Main.ApiKeyItem>[] => [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <Link to="/t/$tenantId/keys/$keyId" params={{ tenantId, keyId: id }}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { title: 'Role', cell: ({ role_name }) => <bdi>{role_name}</bdi> },
  { title: 'Division', cell: ({ division_name }) => <bdi>{division_name ?? 'all'}</bdi> },
  { title: 'Expires', cell: ({ expiry_at }) => <Time at={expiry_at} /> },
  { title: 'Last use', cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} />) },
  {
    title: 'Actions',
    cell: ({ id, name }) => (
      <RequestButton
        tenantId={tenantId}
        request="apiKeys.delete"
        ids={{ api_key_id: id }}
        action="Delete"
        question={`Delete the key ${name}? Programs with the key stop at once.`}
      />
    ),
  },
];
