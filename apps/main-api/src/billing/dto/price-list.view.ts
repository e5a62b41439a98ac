import { ApiProperty } from '@nestjs/swagger';
import { CLOUDS, MANAGED_TIERS, NETWORK_SCOPES, STORAGE_TYPES, TIERS } from '@libs/catalog';

const ApiUsd = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', pattern: '^\\d{1,12}(\\.\\d{1,9})?$', description });
const ApiFactor = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', pattern: '^\\d{1,12}(\\.\\d{1,9})?$', description });

/** A compute size. */
export class TierPriceView {
  @ApiProperty({ enum: [...TIERS], description: 'Compute size.' })
  key: string;

  /** Its name. */
  name: string;

  @ApiProperty({ type: 'number', description: 'Virtual CPUs of a node.' })
  vcpus: number;

  @ApiProperty({ type: 'number', description: 'Memory of a node, GiB.' })
  memory_gib: number;

  @ApiUsd('One node for a month of 730 hours, with standard terms, where the factor of the region is 1.')
  monthly_usd: string;
}

/** A type of storage. */
export class StoragePriceView {
  @ApiProperty({ enum: [...STORAGE_TYPES], description: 'Type of storage.' })
  key: string;

  /** Its name. */
  name: string;

  @ApiUsd('One GB on one node for a month.')
  monthly_usd_per_gb: string;
}

/** Terms of managed deployments. */
export class ManagedTierPriceView {
  @ApiProperty({ enum: [...MANAGED_TIERS], description: 'Terms.' })
  key: string;

  @ApiFactor('Compute is multiplied by it.')
  compute_factor: string;

  @ApiProperty({ type: 'integer', description: 'Days of telemetry that are included.' })
  telemetry_days: number;
}

/** Transfer. */
export class TransferPriceView {
  @ApiProperty({ enum: [...NETWORK_SCOPES], description: 'Where the clients are.' })
  network_scope: string;

  @ApiUsd('One GB of 10⁹ bytes, from or to clients.')
  usd_per_gb: string;
}

/** A region where prices are not those of the list. */
export class RegionPriceView {
  @ApiProperty({ enum: [...CLOUDS], description: 'Its cloud.' })
  cloud: string;

  /** Its key. */
  region: string;

  @ApiFactor('Compute and storage are multiplied by it.')
  price_factor: string;
}

/** What everything costs (C-25.13, C-11.9). Decimals as text, in USD; lines are rounded to the cent, half to even. */
export class PriceListView {
  /** The version of the prices; what has been made keeps those it was made by. */
  pricing_version: string;

  @ApiProperty({ enum: ['USD'], description: 'All prices.' })
  currency: string;

  @ApiProperty({ type: 'integer', description: 'A price for a month is for so many hours, whichever month it is.' })
  hours_per_month: number;

  @ApiProperty({ type: [TierPriceView], description: 'Compute, smallest first.' })
  tiers: TierPriceView[];

  @ApiProperty({ type: [StoragePriceView], description: 'Storage. Free has it included.' })
  storages: StoragePriceView[];

  @ApiProperty({ type: [ManagedTierPriceView], description: 'Terms. Free has none, and costs nothing.' })
  managed_tiers: ManagedTierPriceView[];

  @ApiProperty({ type: [TransferPriceView], description: 'Transfer, as it is used.' })
  transfer: TransferPriceView[];

  @ApiProperty({ type: [RegionPriceView], description: 'Every region; the factor is 1 where none is told.' })
  regions: RegionPriceView[];
}
