import { ApiNullableText, ApiTime } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

export const PAYMENT_PROVIDERS = ['manual', 'card'] as const;
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];

/** The payment method of the tenant (C-25.2). */
export class PaymentMethodView {
  @ApiProperty({ enum: [...PAYMENT_PROVIDERS], description: '`manual`: an invoice agreement.' })
  provider: PaymentProvider;

  @ApiNullableText('The text that invoices show, such as an order number.')
  reference: string | null;

  @ApiTime()
  created_at: string;

  @ApiTime()
  updated_at: string;
}
