import { ApiProperty } from '@nestjs/swagger';
import { ApiTime, ApiId, Resource } from '@libs/http';
import { ChargeLineView, ChargesView } from './charges.view.js';

/** The charges of one calendar month (UTC). */
@Resource<BillingReportItemView>({
  id: 'billing_report_id',
  namedBy: 'month',
  columns: ['id', 'month', 'final', 'total_usd', 'compute_usd', 'storage_usd', 'transfer_usd', 'drawn_at'],
})
export class BillingReportItemView extends ChargesView {
  @ApiId('The report.')
  id: number;

  @ApiProperty({ type: 'string', pattern: '^[0-9]{4}-[0-9]{2}$', description: 'The month.' })
  month: string;

  @ApiProperty({ description: 'False while something of the month may still be metered.' })
  final: boolean;

  @ApiProperty({ type: 'integer', description: 'Deployments that were charged.' })
  line_count: number;

  @ApiTime('Time at which the report was calculated.')
  drawn_at: string;
}

/** A report with its lines. */
export class BillingReportView extends BillingReportItemView {
  @ApiProperty({ type: [ChargeLineView], description: 'The 100 highest charges. The route `lines` lists all of them.' })
  lines: ChargeLineView[];
}
