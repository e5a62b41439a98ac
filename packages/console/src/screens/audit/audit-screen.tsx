import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { auditQuery } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Time } from '../../ui/text/time.js';
import { List } from '../../ui/list/list.js';
import type { Column } from '../../ui/list/table.js';
import { AuditFilters } from './audit-filters.js';
import { Proof } from './proof.js';
import { queryOf, type AuditFilter } from './search.js';

const COLUMNS: readonly Column<Main.AuditEntryView>[] = [
  { title: 'Time', cell: ({ timestamp }) => <Time at={timestamp} /> },
  { title: 'What', cell: ({ name }) => name },
  { title: 'Author', cell: (entry) => <bdi>{authorOf(entry)}</bdi> },
  { title: 'Place', cell: (entry) => <bdi>{placeOf(entry)}</bdi> },
  { title: 'Details', cell: ({ data }) => data && <code>{JSON.stringify(data)}</code> },
];

/** What happened in an organization, and who did it. */
export function AuditScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/audit' });
  const { page = 1, ...filter } = useSearch({ from: '/signed-in/t/$tenantId/audit' });
  const entries = useQuery(auditQuery(tenantId, page, queryOf(filter)));
  return (
    <>
      <TenantHead title="Audit" action={<Export tenantId={tenantId} filter={filter} />} />
      <Proof tenantId={tenantId} />
      <AuditFilters tenantId={tenantId} filter={filter} />
      <List
        label="Audit entries"
        query={entries}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No entry fits the filter."
      />
    </>
  );
}

/** All entries of the filter, as a file. The cookie of the session opens the address. */
function Export({ tenantId, filter }: { tenantId: number; filter: AuditFilter }) {
  const query = new URLSearchParams(
    Object.entries(queryOf(filter)).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  return (
    <a href={`/audit/tenants/${tenantId}/export?${query.toString()}`} download={`audit-${tenantId}.ndjson`}>
      Export as a file
    </a>
  );
}

/** The system has neither a name nor a key. */
function authorOf({ author, api_key }: Main.AuditEntryView): string {
  if (author === null) return 'the system';
  return api_key ? `${author.name ?? ''} by the key ${api_key.name ?? ''}` : (author.name ?? '');
}

const placeOf = ({ division, environment, deployment }: Main.AuditEntryView): string =>
  [division, environment, deployment].flatMap((level) => (level?.name ? [level.name] : [])).join(' / ');
