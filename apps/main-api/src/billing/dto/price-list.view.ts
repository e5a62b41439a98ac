import { ApiProperty } from '@nestjs/swagger';
import { CLOUDS, MANAGED_TIERS, NETWORK_SCOPES, STORAGE_TYPES, TIERS } from '@libs/catalog';

const ApiUsd = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', pattern: '^[0-9]{1,12}(\\.[0-9]{1,9})?$', description });
const ApiFactor = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', pattern: '^[0-9]{1,12}(\\.[0-9]{1,9})?$', description });

/** A compute size with its price. */
export class TierPriceView {
  @ApiProperty({ enum: [...TIERS], description: 'Compute size.' })
  key: string;

  /** Name. */
  name: string;

  @ApiProperty({ type: 'number', description: 'Virtual CPUs of a node.' })
  vcpus: number;

  @ApiProperty({ type: 'number', description: 'Memory of a node, GiB.' })
  memory_gib: number;

  @ApiUsd('One node for a month of 730 hours, with standard terms, where the factor of the region is 1.')
  monthly_usd: string;
}

/** A type of storage with its price. */
export class StoragePriceView {
  @ApiProperty({ enum: [...STORAGE_TYPES], description: 'Type of storage.' })
  key: string;

  /** Name. */
  name: string;

  @ApiUsd('One GB on one node for a month.')
  monthly_usd_per_gb: string;
}

/** The price factor and the included telemetry of one managed tier. */
export class ManagedTierPriceView {
  @ApiProperty({ enum: [...MANAGED_TIERS], description: 'Terms.' })
  key: string;

  @ApiFactor('The factor that multiplies the price of compute.')
  compute_factor: string;

  @ApiProperty({ type: 'integer', description: 'Included days of telemetry.' })
  telemetry_days: number;
}

/** The price of transfer. */
export class TransferPriceView {
  @ApiProperty({ enum: [...NETWORK_SCOPES], description: 'Where the clients of the deployment are.' })
  network_scope: string;

  @ApiUsd('One GB of 10⁹ bytes, from or to clients.')
  usd_per_gb: string;
}

/** A region with its own price factor. */
export class RegionPriceView {
  @ApiProperty({ enum: [...CLOUDS], description: 'Cloud.' })
  cloud: string;

  /** Key of the region. */
  region: string;

  @ApiFactor('The factor that multiplies the prices of compute and storage.')
  price_factor: string;
}

/** The price list (C-25.13, C-11.9). Decimals are text, in USD. Lines are rounded to the cent, half to even. */
export class PriceListView {
  /** Version of the prices. Existing deployments keep the version that they were created with. */
  pricing_version: string;

  @ApiProperty({ enum: ['USD'], description: 'All prices.' })
  currency: string;

  @ApiProperty({ type: 'integer', description: 'Hours in a priced month, the same for every month.' })
  hours_per_month: number;

  @ApiProperty({ type: [TierPriceView], description: 'Compute, smallest first.' })
  tiers: TierPriceView[];

  @ApiProperty({ type: [StoragePriceView], description: 'Prices of storage. Free includes storage.' })
  storages: StoragePriceView[];

  @ApiProperty({ type: [ManagedTierPriceView], description: 'Terms. Free has none, and costs nothing.' })
  managed_tiers: ManagedTierPriceView[];

  @ApiProperty({ type: [TransferPriceView], description: 'Price of transfer, charged by use.' })
  transfer: TransferPriceView[];

  @ApiProperty({
    type: [RegionPriceView],
    description: 'Price factors of regions. A region without an entry has the factor 1.',
  })
  regions: RegionPriceView[];
}
