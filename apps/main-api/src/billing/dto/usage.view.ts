import { ApiTime, Page } from '@libs/http';
import { ChargesView, type ChargeLineView } from './charges.view.js';

/** The charges of all deployments together. */
export class UsageTotalsView extends ChargesView {
  /** Start of the period, inclusive. */
  @ApiTime()
  from: string;

  @ApiTime('End of the period, exclusive. At most the current time.')
  to: string;
}

/** A page of deployments, together with the totals of all pages. */
export class UsagePage extends Page<ChargeLineView> {
  constructor(
    rows: { items: ChargeLineView[]; total: number; next: string | null },
    query: { page: number; results: number },
    totals: UsageTotalsView,
  ) {
    super(rows, query);
    Object.assign(this, totals);
  }
}
