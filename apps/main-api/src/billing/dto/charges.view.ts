import { ApiProperty } from '@nestjs/swagger';
import { ApiNullableText, ApiTime, ApiId, Resource } from '@libs/http';

const ApiUsd = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', pattern: '^[0-9]{1,12}\\.[0-9]{2}$', description });
const ApiQuantity = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', pattern: '^[0-9]{1,12}(\\.[0-9]{1,9})?$', description });

/** Usage and costs. Decimals are text, money is in USD (C-25.6). */
export class ChargesView {
  @ApiQuantity('One node for one hour is one.')
  compute_hours: string;

  @ApiQuantity('One GB on one node for one hour is one.')
  storage_gb_hours: string;

  @ApiQuantity('GB of 10⁹ bytes from and to clients.')
  transfer_gb: string;

  @ApiUsd('USD for compute.')
  compute_usd: string;

  @ApiUsd('USD for storage.')
  storage_usd: string;

  @ApiUsd('USD for transfer.')
  transfer_usd: string;

  @ApiUsd('All three together.')
  total_usd: string;
}

/** A deployment, division or environment, with its name at that time. */
export class ChargedNameView {
  @ApiId('Id of the resource.')
  id: number;

  /** Name. */
  name: string;
}

/** A period in which a deployment had one shape at one price. */
export class ChargedPeriodView {
  /** Start of the period, inclusive. */
  @ApiTime()
  from: string;

  @ApiTime('End of the period, exclusive.')
  to: string;

  /** Cloud. */
  cloud: string;

  /** Region of the deployment. */
  region: string;

  /** Compute size. */
  tier: string;

  @ApiNullableText('Managed tier of the deployment. Null for Free.')
  managed_tier: string | null;

  @ApiProperty({ type: 'integer', description: 'Number of nodes.' })
  nodes: number;

  /** Type of storage. */
  storage_type: string;

  @ApiProperty({ type: 'integer', description: 'GB on each node.' })
  storage_size: number;

  @ApiUsd('USD for a month of 730 hours, without transfer.')
  monthly_base_usd: string;

  /** Version of the prices that this period was charged by. */
  pricing_version: string;
}

/** The charges of one deployment. */
@Resource<ChargeLineView>({
  columns: ['deployment', 'division', 'environment', 'compute_hours', 'storage_gb_hours', 'transfer_gb', 'total_usd'],
})
export class ChargeLineView extends ChargesView {
  @ApiProperty({ type: ChargedNameView, description: 'The deployment.' })
  deployment: ChargedNameView;

  /** Short code of the deployment. */
  code: string;

  @ApiProperty({ type: ChargedNameView, description: 'The division of the deployment.' })
  division: ChargedNameView;

  @ApiProperty({ type: ChargedNameView, description: 'The environment of the deployment.' })
  environment: ChargedNameView;

  @ApiProperty({ type: [ChargedPeriodView], description: 'Oldest first; compute and storage are charged for each.' })
  periods: ChargedPeriodView[];
}
