import { ApiProperty } from '@nestjs/swagger';

export const PAYMENT_PROVIDERS = ['manual', 'card'] as const;
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];

/** The payment method of the tenant (C-25.2). */
export class PaymentMethodView {
  @ApiProperty({ enum: [...PAYMENT_PROVIDERS], description: '`manual`: an invoice agreement.' })
  provider: PaymentProvider;

  @ApiProperty({ type: 'string', nullable: true, description: 'The text that invoices show, such as an order number.' })
  reference: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}
