import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { auditQuery, auditTypesQuery } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Time } from '../../ui/text/time.js';
import { List } from '../../ui/list/list.js';
import type { Column } from '../../ui/list/table.js';
import { queryOf, type AuditFilter } from './search.js';
import { readQuery } from '../../api/read.js';
import { Button } from '../../ui/button.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { Facts } from '../../ui/text/facts.js';
import { Problem } from '../../ui/problem.js';
import { structureQuery } from '../../api/queries.js';
import { choicesOf, Filters } from '../../ui/list/filters.js';

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

/** Shows that nobody changed or removed an entry: each seal contains the seal before. */
function Proof({ tenantId }: { tenantId: number }) {
  const { data, error, isFetching, refetch } = useQuery({
    ...readQuery(tenantId, 'audit.verify', {}),
    enabled: false,
  });
  return (
    <Disclosure title="Prove the audit">
      <p>
        Landlord seals the entries in their order. The proof reads all entries again, and compares them with the seals.
        Keep the last seal at another place: a later proof shows whether the entries up to the seal are still the same.
      </p>
      <p>
        <Button isBusy={isFetching} onPress={() => void refetch()}>
          Prove now
        </Button>
      </p>
      {error && <Problem error={error} />}
      {data && (
        <div role="status">
          <Facts
            values={{
              Result: <strong>{data.valid ? 'Nothing was changed.' : 'The entries were changed.'}</strong>,
              'Sealed up to entry': data.sealed_up_to,
              'Sealed at': data.sealed_at && <Time at={data.sealed_at} />,
              'Last seal': data.seal_hash && <code>{data.seal_hash}</code>,
              'Entries without a seal yet': data.unsealed,
              'First break': data.first_break ? <code>{JSON.stringify(data.first_break)}</code> : null,
            }}
          />
        </div>
      )}
    </Disclosure>
  );
}

function AuditFilters({ tenantId, filter }: { tenantId: number; filter: AuditFilter }) {
  const { data: types = [] } = useQuery(auditTypesQuery(tenantId));
  const { data: people } = useQuery(readQuery(tenantId, 'members.list', { results: 100 }));
  const members = (people?.items ?? []).map(({ id, name, email }) => ({
    ...{ value: String(id), label: `${name} (${email})` },
  }));
  const { divisions, environments } = usePlaceChoices(tenantId);
  return (
    <Filters
      fields={[
        { name: 'type', label: 'Type', choices: choicesOf(types) },
        { name: 'author', label: 'Author', choices: members },
        { name: 'user', label: 'User who was acted on', choices: members },
        { name: 'api_key', label: 'Id of the API key' },
        { name: 'division', label: 'Division', choices: divisions },
        { name: 'environment', label: 'Environment', choices: environments },
        { name: 'deployment', label: 'Id of the deployment' },
        { name: 'correlation_id', label: 'Id of the request or workflow', longest: 36 },
        { name: 'from', label: 'From', type: 'date' },
        { name: 'to', label: 'To', type: 'date' },
      ]}
      values={{ ...filter }}
    />
  );
}

/** The divisions and environments that the caller sees. */
function usePlaceChoices(tenantId: number) {
  const { data: structure } = useQuery({ ...structureQuery(tenantId), throwOnError: false });
  const all = structure?.divisions ?? [];
  return {
    divisions: all.map(({ id, name }) => ({ value: String(id), label: name })),
    environments: all.flatMap((division) =>
      division.environments.map(({ id, name }) => ({ value: String(id), label: `${division.name} / ${name}` })),
    ),
  };
}
