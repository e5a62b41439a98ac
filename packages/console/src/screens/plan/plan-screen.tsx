import type { Main } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { limitsQuery } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Table, type Column } from '../../ui/table.js';

const COLUMNS: readonly Column<Main.LimitView>[] = [
  { title: 'Limit', cell: ({ name }) => name.replaceAll('_', ' ').replace(/ limit$/, '') },
  { title: 'For each', cell: ({ scope }) => (scope === 'tenant' ? 'organization' : scope.replaceAll('_', ' ')) },
  { title: 'Allowed', cell: ({ limit }) => limit.toLocaleString('en') },
  { title: 'Used', cell: ({ used }) => used?.toLocaleString('en') ?? '' },
  { title: 'Left', cell: ({ remaining }) => remaining?.toLocaleString('en') ?? '' },
];

/** What the plan allows, and what the organization uses of it. */
export function PlanScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/plan' });
  const { data } = useSuspenseQuery(limitsQuery(tenantId));
  return (
    <>
      <TenantHead title="Limits of the plan" />
      <Table label="Limits" columns={COLUMNS} rows={data.limits} keyOf={({ name }) => name} />
    </>
  );
}
