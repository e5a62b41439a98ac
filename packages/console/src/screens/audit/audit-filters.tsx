import { useQuery } from '@tanstack/react-query';
import { structureQuery } from '../../api/queries.js';
import { auditTypesQuery } from '../../api/queries/organization.js';
import { readQuery } from '../../api/read.js';
import { choicesOf, Filters } from '../../ui/list/filters.js';
import type { AuditFilter } from './search.js';

export function AuditFilters({ tenantId, filter }: { tenantId: number; filter: AuditFilter }) {
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
