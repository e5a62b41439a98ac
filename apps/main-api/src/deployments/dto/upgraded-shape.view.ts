import { STORAGE_TYPES, TIERS } from '@libs/catalog';
import { ApiNullableText, ApiTime, ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** Storage of each node. */
export class StorageShapeView {
  /** Type of storage. */
  @ApiProperty({ enum: [...STORAGE_TYPES] })
  type: string;

  @ApiProperty({ type: 'integer', description: 'GB per node.' })
  size: number;
}

/** The part of a deployment that an upgrade changes. */
export class UpgradedShapeView {
  /** Compute size of each node. */
  @ApiProperty({ enum: [...TIERS] })
  tier: string;

  /** Storage of each node. */
  @ApiProperty({ type: StorageShapeView })
  storage: StorageShapeView;

  @ApiNullableText('The terms; null without any.')
  managed_tier: string | null;
}

/** One finished upgrade. */
export class UpgradeView {
  /** Time of the upgrade. */
  @ApiTime()
  upgraded_at: string;

  /** The shape before the upgrade. */
  @ApiProperty({ type: UpgradedShapeView })
  from: UpgradedShapeView;

  /** The shape after the upgrade. */
  @ApiProperty({ type: UpgradedShapeView })
  to: UpgradedShapeView;
}

/** A requested upgrade that is not in force yet (C-12.28). */
export class PendingUpgradeView extends UpgradedShapeView {
  @ApiId('The operation of the upgrade.')
  operation_id: number;

  /** Time of the request. */
  @ApiTime()
  requested_at: string;
}
