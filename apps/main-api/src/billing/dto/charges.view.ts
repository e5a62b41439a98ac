import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '@libs/http';

const ApiUsd = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', pattern: '^\\d{1,12}\\.\\d{2}$', description });
const ApiQuantity = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', pattern: '^\\d{1,12}(\\.\\d{1,9})?$', description });

/** What was used and what it costs; decimals as text, money in USD (C-25.6). */
export class ChargesView {
  @ApiQuantity('One node for one hour is one.')
  compute_hours: string;

  @ApiQuantity('One GB on one node for one hour is one.')
  storage_gb_hours: string;

  @ApiQuantity('GB of 10⁹ bytes from and to clients.')
  transfer_gb: string;

  @ApiUsd('For compute.')
  compute_usd: string;

  @ApiUsd('For storage.')
  storage_usd: string;

  @ApiUsd('For transfer.')
  transfer_usd: string;

  @ApiUsd('All three together.')
  total_usd: string;
}

/** A deployment, or where it is, with the name of then. */
export class ChargedNameView {
  @ApiId('Its id.')
  id: number;

  /** Its name. */
  name: string;
}

/** A time in which a deployment had one shape at one price. */
export class ChargedPeriodView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  from: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Exclusive.' })
  to: string;

  /** Its cloud. */
  cloud: string;

  /** Its region. */
  region: string;

  /** Its compute size. */
  tier: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Its terms; null for Free.' })
  managed_tier: string | null;

  @ApiProperty({ type: 'integer', description: 'Its nodes.' })
  nodes: number;

  /** Its type of storage. */
  storage_type: string;

  @ApiProperty({ type: 'integer', description: 'GB on each node.' })
  storage_size: number;

  @ApiUsd('For a month of 730 hours, without transfer.')
  monthly_base_usd: string;

  /** The prices it was made by. */
  pricing_version: string;
}

/** What one deployment is charged for. */
export class ChargeLineView extends ChargesView {
  @ApiProperty({ type: ChargedNameView, description: 'The deployment.' })
  deployment: ChargedNameView;

  /** Its code. */
  code: string;

  @ApiProperty({ type: ChargedNameView, description: 'Its division.' })
  division: ChargedNameView;

  @ApiProperty({ type: ChargedNameView, description: 'Its environment.' })
  environment: ChargedNameView;

  @ApiProperty({ type: [ChargedPeriodView], description: 'Oldest first; compute and storage are charged for each.' })
  periods: ChargedPeriodView[];
}
