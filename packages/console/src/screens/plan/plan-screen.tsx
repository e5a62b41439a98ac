import type { Main } from '@landlord/sdk';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { limitsQuery } from '../../api/queries/organization.js';
import { readQuery } from '../../api/read.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { Facts } from '../../ui/text/facts.js';
import { Section } from '../../ui/section.js';
import { Table, type Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';
import { Prices } from './prices.js';

const COLUMNS: readonly Column<Main.LimitView>[] = [
  { title: 'Limit', cell: ({ name }) => name.replaceAll('_', ' ').replace(/ limit$/, '') },
  { title: 'For each', cell: ({ scope }) => (scope === 'tenant' ? 'organization' : scope.replaceAll('_', ' ')) },
  { title: 'Allowed', cell: ({ limit }) => limit.toLocaleString('en') },
  { title: 'Used', cell: ({ used }) => used?.toLocaleString('en') ?? '' },
  { title: 'Left', cell: ({ remaining }) => remaining?.toLocaleString('en') ?? '' },
];
const TIERS: readonly Column<Main.TierLimitView>[] = [
  { title: 'Size', cell: ({ tier }) => tier },
  { title: 'Allowed', cell: ({ limit }) => limit.toLocaleString('en') },
  { title: 'Used', cell: ({ used }) => used.toLocaleString('en') },
  { title: 'Left', cell: ({ remaining }) => remaining.toLocaleString('en') },
];

/** What the plan allows, and what the organization uses of it. */
export function PlanScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/plan' });
  const { data } = useSuspenseQuery(limitsQuery(tenantId));
  return (
    <>
      <TenantHead title="Limits of the plan" />
      <Subscription tenantId={tenantId} />
      <Table label="Limits" columns={COLUMNS} rows={data.limits} keyOf={({ name }) => name} />
      <Section title="Deployments by size">
        <Table label="Deployments by size" columns={TIERS} rows={data.deployment_tiers} keyOf={({ tier }) => tier} />
      </Section>
      <Disclosure title="Prices">
        <Prices tenantId={tenantId} />
      </Disclosure>
    </>
  );
}

/** The plan itself, and what there is at all. */
function Subscription({ tenantId }: { tenantId: number }) {
  const { data: subscription } = useQuery(readQuery(tenantId, 'tenants.subscription', {}));
  const { data: summary } = useQuery(readQuery(tenantId, 'tenants.getSummary', {}));
  return (
    <Facts
      values={{
        Plan: subscription?.plan ?? null,
        Since: subscription ? <Time at={subscription.valid_from} /> : null,
        Until: subscription?.valid_to ? <Time at={subscription.valid_to} /> : null,
        Divisions: summary?.total_divisions ?? null,
        Environments: summary?.total_environments ?? null,
        Deployments: summary?.total_deployments ?? null,
      }}
    />
  );
}
