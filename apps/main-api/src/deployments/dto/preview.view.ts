import { ApiProperty } from '@nestjs/swagger';

/** The lines of a price, in USD per month, for all nodes. */
export class PriceBreakdownView {
  /** Compute. */
  compute_usd: number;

  /** Storage. */
  storage_usd: number;

  /** Estimated transfer. */
  network_usd: number;
}

/** Figures about the capacity of the nodes of a shape. The figures are not guaranteed limits. */
export class CapacityView {
  /** Shards of the broker on each node: one for each virtual CPU. */
  @ApiProperty({ type: 'integer' })
  shards_per_node: number;

  /** Default size of a segment of a partition, in bytes. */
  @ApiProperty({ type: 'integer' })
  default_segment_bytes: number;

  /** Smallest size of a segment of a partition, in bytes. */
  @ApiProperty({ type: 'integer' })
  min_segment_bytes: number;

  /** Partitions with segments of the default size that half of the memory of a node can hold. */
  @ApiProperty({ type: 'integer' })
  partitions_per_node_at_default_segment: number;

  /** Partitions with segments of the smallest size that half of the memory of a node can hold. */
  @ApiProperty({ type: 'integer' })
  partitions_per_node_at_min_segment: number;
}

/** The nodes and the price of a deployment with a given shape. */
export class QuoteView {
  /** Key of the cloud. */
  cloud: string;

  /** Key of the region. */
  region: string;

  /** Compute size of each node. */
  tier: string;

  @ApiProperty({ type: 'integer', description: 'Number of nodes. The service chooses the number.' })
  nodes: number;

  /** Cloud, compute size and type of storage, with dots between them. */
  compute_profile_id: string;

  /** Days of metrics, logs and heartbeats that the price includes. */
  @ApiProperty({ type: 'integer' })
  included_telemetry_days: number;

  /** Version of the prices that the preview uses. */
  pricing_version: string;

  /** USD a month, without transfer. */
  monthly_base_usd: number;

  /** USD a month, with the estimated transfer. Transfer is billed on actual usage. */
  monthly_total_usd: number;

  /** The lines of the price. */
  @ApiProperty({ type: PriceBreakdownView })
  breakdown: PriceBreakdownView;

  /** Figures about the capacity of the nodes. */
  @ApiProperty({ type: CapacityView })
  capacity: CapacityView;
}

/** A reason why a creation would be refused now. */
export class BlockerView {
  /** The code of the refusal. */
  code: string;

  /** The reason, for people. */
  detail: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The further members of the refusal, such as `limit` and `feature`.',
  })
  members: object;
}

/** The nodes and the price of a deployment, and whether it can be created now (C-11.7). */
export class PreviewView extends QuoteView {
  /** True when nothing in `blocked_by` refuses the creation. */
  orderable: boolean;

  @ApiProperty({ type: [String], description: 'What to know about the deployment before the order. Empty: nothing.' })
  warnings: string[];

  /** What would refuse the creation now. */
  @ApiProperty({ type: [BlockerView] })
  blocked_by: BlockerView[];
}

/** The difference in price of an upgrade, in USD per month. */
export class PriceDifferenceView {
  /** USD a month, without transfer. */
  monthly_base_usd: number;

  /** USD a month, with the estimated transfer. */
  monthly_total_usd: number;
}

/** The nodes and the price of a deployment after an upgrade (C-11.12). */
export class UpgradePreviewView extends QuoteView {
  /** False: only terms and telemetry retention change, and no node is touched. */
  changes_hardware: boolean;

  @ApiProperty({ type: PriceDifferenceView, description: 'The difference to the current price of the deployment.' })
  difference: PriceDifferenceView;
}
