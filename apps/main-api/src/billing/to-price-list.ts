import { MANAGED_TIERS, NETWORK_SCOPES, STORAGE_TYPES, type Catalog } from '@libs/catalog';
import { HOURS_A_MONTH } from '@libs/persistence/billing';
import type { PriceListView } from './dto/price-list.view.js';

/** Returns the prices of the current catalog. */
export function toPriceList(catalog: Catalog): PriceListView {
  const { storages, managed_tiers, transfer_usd_per_gb } = catalog.data;
  return {
    pricing_version: catalog.version,
    currency: 'USD',
    hours_per_month: HOURS_A_MONTH,
    tiers: catalog
      .tiers()
      .map(({ key, name, vcpus, memory_gib, monthly_usd }) => ({ key, name, vcpus, memory_gib, monthly_usd })),
    storages: STORAGE_TYPES.map((key) => ({
      key,
      name: storages[key].name,
      monthly_usd_per_gb: storages[key].monthly_usd_per_gb,
    })),
    managed_tiers: MANAGED_TIERS.map((key) => ({ key, ...managed_tiers[key] })),
    transfer: NETWORK_SCOPES.map((scope) => ({ network_scope: scope, usd_per_gb: transfer_usd_per_gb[scope] })),
    regions: catalog
      .clouds()
      .flatMap(({ key: cloud }) =>
        catalog.regions(cloud).map(({ key: region, price_factor }) => ({ cloud, region, price_factor })),
      ),
  };
}
