import { ApiProperty } from '@nestjs/swagger';

/** The lines of a price, USD a month. */
export class PriceBreakdownView {
  compute_usd: number;

  storage_usd: number;

  /** Estimated transfer. */
  network_usd: number;
}

/** Diagnostic figures; not guaranteed limits. */
export class CapacityView {
  @ApiProperty({ type: 'integer' })
  shards_per_node: number;

  @ApiProperty({ type: 'integer' })
  default_segment_bytes: number;

  @ApiProperty({ type: 'integer' })
  min_segment_bytes: number;

  @ApiProperty({ type: 'integer' })
  partitions_per_node_at_default_segment: number;

  @ApiProperty({ type: 'integer' })
  partitions_per_node_at_min_segment: number;
}

/** The result and the price of a shape (C-11.7). */
export class PreviewView {
  cloud: string;

  region: string;

  tier: string;

  @ApiProperty({ type: 'integer', description: 'Number of nodes. The service chooses the number.' })
  nodes: number;

  compute_profile_id: string;

  @ApiProperty({ type: 'integer' })
  included_telemetry_days: number;

  pricing_version: string;

  /** USD a month, without transfer. */
  monthly_base_usd: number;

  /** USD a month, with the estimated transfer. Transfer is billed on actual usage. */
  monthly_total_usd: number;

  @ApiProperty({ type: PriceBreakdownView })
  breakdown: PriceBreakdownView;

  @ApiProperty({ type: CapacityView })
  capacity: CapacityView;
}

/** The difference in price of an upgrade, in USD per month. */
export class PriceDifferenceView {
  /** USD a month, without transfer. */
  monthly_base_usd: number;

  /** USD a month, with the estimated transfer. */
  monthly_total_usd: number;
}

/** The deployment after an upgrade (C-11.12). */
export class UpgradePreviewView extends PreviewView {
  /** False: only terms and telemetry retention change, and no node is touched. */
  changes_hardware: boolean;

  @ApiProperty({ type: PriceDifferenceView, description: 'The difference to the current price of the deployment.' })
  difference: PriceDifferenceView;
}
