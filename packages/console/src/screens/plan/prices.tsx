import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../api/read.js';
import { exactUsd } from '../../lib/usd.js';
import { Problem } from '../../ui/problem.js';
import { Table, type Column } from '../../ui/list/table.js';

const TIERS: readonly Column<Main.TierPriceView>[] = [
  { title: 'Size', cell: ({ name }) => name },
  { title: 'CPUs', cell: ({ vcpus }) => vcpus },
  { title: 'Memory', cell: ({ memory_gib }) => `${memory_gib} GiB` },
  { title: 'A month and node', cell: ({ monthly_usd }) => exactUsd(monthly_usd) },
];
const STORAGES: readonly Column<Main.StoragePriceView>[] = [
  { title: 'Storage', cell: ({ name }) => name },
  { title: 'A month and GB', cell: ({ monthly_usd_per_gb }) => exactUsd(monthly_usd_per_gb) },
];

/** The price list, before the factor of the region. */
export function Prices({ tenantId }: { tenantId: number }) {
  const { data, error } = useQuery(readQuery(tenantId, 'pricing.get', {}));
  if (!data) return error && <Problem error={error} />;
  return (
    <>
      <p>Prices of the version {data.pricing_version}. A region multiplies them by its factor.</p>
      <Table label="Prices of sizes" columns={TIERS} rows={data.tiers} keyOf={({ key }) => key} />
      <Table label="Prices of storage" columns={STORAGES} rows={data.storages} keyOf={({ key }) => key} />
    </>
  );
}
