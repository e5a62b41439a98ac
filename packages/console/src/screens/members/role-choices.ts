import { useQuery } from '@tanstack/react-query';
import { rolesQuery } from '../../api/queries/organization.js';
import type { Choice } from '../../ui/form/field.js';

/** The roles of the organization for a field. A person who may not read them has no choice. */
export function useRoleChoices(tenantId: number): readonly Choice[] {
  const { data } = useQuery(rolesQuery(tenantId));
  return (data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}
