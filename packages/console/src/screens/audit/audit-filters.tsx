import { useQuery } from '@tanstack/react-query';
import { auditTypesQuery } from '../../api/queries/organization.js';
import { readQuery } from '../../api/read.js';
import { choicesOf, Filters } from '../../ui/list/filters.js';
import type { AuditFilter } from './search.js';

export function AuditFilters({ tenantId, filter }: { tenantId: number; filter: AuditFilter }) {
  const { data: types = [] } = useQuery(auditTypesQuery(tenantId));
  const { data: members } = useQuery(readQuery(tenantId, 'members.list', { results: 100 }));
  const authors = (members?.items ?? []).map(({ id, name, email }) => ({
    ...{ value: String(id), label: `${name} (${email})` },
  }));
  return (
    <Filters
      fields={[
        { name: 'type', label: 'Type', choices: choicesOf(types) },
        { name: 'author', label: 'Author', choices: authors },
        { name: 'deployment', label: 'Id of the deployment' },
        { name: 'from', label: 'From', type: 'date' },
        { name: 'to', label: 'To', type: 'date' },
      ]}
      values={{ ...filter }}
    />
  );
}
