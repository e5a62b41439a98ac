import { ClearableText, Example, IsOneOf, IsText, UpdateDto } from '@libs/http';
import { PAYMENT_PROVIDERS, type PaymentProvider } from './payment-method.view.js';

/** The new payment method of the tenant. */
@Example<PutPaymentMethodDto>({ provider: 'manual', reference: 'order 4711' })
export class PutPaymentMethodDto extends UpdateDto {
  @IsOneOf(
    PAYMENT_PROVIDERS,
    '`manual`: by invoice, for tenants with an invoice agreement. `card` needs a card gateway, for which this release has no driver.',
  )
  provider: PaymentProvider;

  @ClearableText()
  @IsText(
    100,
    'The text that invoices show, such as an order number. For `card`: the token that the payment gateway returned.',
  )
  reference?: string | null;
}
