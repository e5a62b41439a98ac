import type { Main } from '@landlord/sdk';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { auditQuery, auditTypesQuery, type AuditType } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { SelectField } from '../../ui/form/field.js';
import { Time } from '../../ui/time.js';
import { Pages } from '../../ui/pages.js';
import { Table, type Column } from '../../ui/table.js';

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
  const { page = 1, type } = useSearch({ from: '/signed-in/t/$tenantId/audit' });
  const { data } = useSuspenseQuery(auditQuery(tenantId, page, type));
  const { data: types = [] } = useQuery(auditTypesQuery(tenantId));
  const navigate = useNavigate();
  const choose = (chosen: string): void =>
    void navigate({ to: '.', search: chosen === '' ? {} : { type: chosen as AuditType } });
  const choices = types.map((one) => ({ value: one, label: one.replaceAll('_', ' ') }));
  return (
    <>
      <TenantHead title="Audit" />
      <SelectField
        label="Type"
        name="type"
        value={type ?? ''}
        onChange={choose}
        choices={[{ value: '', label: 'All' }, ...choices]}
      />
      <Table label="Audit entries" columns={COLUMNS} rows={data.items} keyOf={({ id }) => id} />
      <Pages {...data} />
    </>
  );
}

/** The system has neither a name nor a key. */
function authorOf({ author, api_key }: Main.AuditEntryView): string {
  if (author === null) return 'the system';
  return api_key ? `${author.name ?? ''} by the key ${api_key.name ?? ''}` : (author.name ?? '');
}

const placeOf = ({ division, environment, deployment }: Main.AuditEntryView): string =>
  [division, environment, deployment].flatMap((level) => (level?.name ? [level.name] : [])).join(' / ');
