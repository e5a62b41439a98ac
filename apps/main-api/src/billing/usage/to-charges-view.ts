import type { ChargedPeriod, ChargeLine, Charges } from '@libs/persistence/billing';
import type { ChargedPeriodView, ChargeLineView, ChargesView } from '../dto/charges.view.js';

export const toChargesView = (charges: Charges): ChargesView => ({
  compute_hours: plain(charges.computeHours),
  storage_gb_hours: plain(charges.storageGbHours),
  transfer_gb: plain(charges.transferGb),
  compute_usd: charges.computeUsd,
  storage_usd: charges.storageUsd,
  transfer_usd: charges.transferUsd,
  total_usd: charges.totalUsd,
});

export const toChargeLineView = (line: ChargeLine): ChargeLineView => ({
  deployment: line.deployment,
  code: line.code,
  division: line.division,
  environment: line.environment,
  ...toChargesView(line),
  periods: line.periods.map(toPeriodView),
});

// Lists each member, because the database stores them in another order.
const toPeriodView = (period: ChargedPeriod): ChargedPeriodView => ({
  from: period.from,
  to: period.to,
  cloud: period.cloud,
  region: period.region,
  tier: period.tier,
  managed_tier: period.managed_tier,
  nodes: period.nodes,
  storage_type: period.storage_type,
  storage_size: period.storage_size,
  monthly_base_usd: period.monthly_base_usd,
  pricing_version: period.pricing_version,
});

/** Removes zeros at the end. */
const plain = (quantity: string): string => quantity.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
