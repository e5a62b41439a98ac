import type { ChargeLine, Charges } from '@libs/persistence/billing';
import type { ChargeLineView, ChargesView } from './dto/charges.view.js';

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
  periods: line.periods,
});

/** Without zeros at the end that say nothing. */
const plain = (quantity: string): string => quantity.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
