import { ApiProperty } from '@nestjs/swagger';
import { Page } from '@libs/http';
import { ChargesView, type ChargeLineView } from './charges.view.js';

/** What all deployments together were charged for. */
export class UsageTotalsView extends ChargesView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  from: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'End of the period, exclusive. At most the current time.',
  })
  to: string;
}

/** A page of deployments, with the totals of all pages beside it. */
export class UsagePage extends Page<ChargeLineView> {
  constructor(
    items: ChargeLineView[],
    total: number,
    query: { page: number; results: number },
    totals: UsageTotalsView,
  ) {
    super(items, total, query);
    Object.assign(this, totals);
  }
}
