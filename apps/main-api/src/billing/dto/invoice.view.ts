import { ApiProperty } from '@nestjs/swagger';
import { ApiId, Resource } from '@libs/http';
import { INVOICE_STATUSES, type InvoiceStatus } from '@libs/persistence/billing';
import { PostalAddressView } from './billing-info.view.js';
import { ChargeLineView, ChargesView } from './charges.view.js';
import { PAYMENT_PROVIDERS, type PaymentProvider } from './payment-method.view.js';

const ApiMoment = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', format: 'date-time', nullable: true, description });
const ApiToldText = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', nullable: true, description });

/** The recipient of an invoice, as stored at the time of issue. */
export class BillToView {
  /** Name of the tenant. */
  tenant: string;

  @ApiToldText('Name of the company.')
  company: string | null;

  @ApiToldText('E-mail address for invoices.')
  email: string | null;

  @ApiProperty({ type: PostalAddressView, nullable: true, description: 'Postal address.' })
  address: PostalAddressView | null;

  @ApiToldText('Tax id, such as a VAT number.')
  tax_id: string | null;

  @ApiToldText("The customer's own number of the order.")
  purchase_order: string | null;
}

/** The invoice of one calendar month (UTC). */
@Resource<InvoiceItemView>({
  id: 'invoice_id',
  namedBy: 'number',
  columns: ['id', 'number', 'month', 'status', 'total_usd', 'issued_at', 'due_at', 'settled_at'],
})
export class InvoiceItemView extends ChargesView {
  @ApiId('The invoice.')
  id: number;

  @ApiToldText('Number of the invoice, counted through the month. Null for a draft.')
  number: string | null;

  @ApiProperty({
    enum: [...INVOICE_STATUSES],
    description:
      '`draft`: the books of the month are open; `pending`: to be paid; `failed`: a card was refused; `paid` and `cancelled` are final.',
  })
  status: InvoiceStatus;

  @ApiProperty({ type: 'string', pattern: '^[0-9]{4}-[0-9]{2}$', description: 'The month.' })
  month: string;

  @ApiProperty({
    enum: [...PAYMENT_PROVIDERS],
    nullable: true,
    description: 'The payment provider. Null when the tenant has no payment method.',
  })
  provider: PaymentProvider | null;

  @ApiMoment('Time of issue. Null for a draft.')
  issued_at: string | null;

  @ApiMoment('Time at which the payment is due. Null for a draft.')
  due_at: string | null;

  @ApiMoment('Time at which the invoice was paid or cancelled.')
  settled_at: string | null;

  @ApiToldText('Why the last attempt to charge the payment method failed.')
  failure: string | null;

  @ApiProperty({ type: 'integer', description: 'Deployments that were charged.' })
  line_count: number;
}

/** An invoice with its lines and its recipient. */
export class InvoiceView extends InvoiceItemView {
  @ApiProperty({ type: BillToView, description: 'The address of the invoice.' })
  bill_to: BillToView;

  @ApiProperty({ type: [ChargeLineView], description: 'The 100 highest charges. The route `lines` lists all of them.' })
  lines: ChargeLineView[];
}
