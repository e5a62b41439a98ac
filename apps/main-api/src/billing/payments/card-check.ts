import { Injectable, Logger } from '@nestjs/common';
import { DomainError, validationFailed } from '@libs/domain';
import type { PaymentMethod } from '@libs/persistence/billing';
import type { PutPaymentMethodDto } from '../dto/put-payment-method.dto.js';
import { PaymentGateway } from './payment-gateway.js';
import { PaymentGatewayError } from './payment-gateway-error.js';

/** The reference to store for a method, or the reason of a refusal. */
export interface CheckedMethod {
  /** Undefined: keeps the stored reference, if it has the same provider. */
  reference: string | null | undefined;
  refusal: DomainError | null;
}

/** Checks a payment method with the gateway. Must not run in a transaction. */
@Injectable()
export class CardCheck {
  private readonly logger = new Logger(CardCheck.name);

  constructor(private readonly gateway: PaymentGateway) {}

  async check({ provider, reference }: PutPaymentMethodDto, stored: PaymentMethod | null): Promise<CheckedMethod> {
    if (provider === 'manual') return { reference, refusal: null };
    const storedReference = stored?.provider === 'card' ? stored.reference : null;
    const card = reference === undefined ? storedReference : reference;
    const isKnown = storedReference !== null && storedReference === card;
    return { reference: card, refusal: isKnown ? null : await this.refusalOf(card) };
  }

  private async refusalOf(card: string | null): Promise<DomainError | null> {
    try {
      // Without a gateway the provider is the fault, for every reference.
      if (card === null && this.gateway.provider !== null) return refused('/reference', 'required', NO_CARD);
      const verdict = await this.gateway.verify(card ?? '');
      if (verdict.outcome === 'good') return null;
      return this.gateway.provider === null
        ? refused('/provider', 'unsupported_provider', verdict.reason)
        : refused('/reference', 'card_refused', verdict.reason);
    } catch (error) {
      if (!(error instanceof PaymentGatewayError)) throw error;
      this.logger.warn({ fault: error.fault, err: error }, 'the card gateway gave no answer');
      return new DomainError('provider_unavailable', `${this.gateway.provider} does not respond. Try again later.`);
    }
  }
}

const NO_CARD = 'is needed for a card: the token that the gateway gave for it';

const refused = (path: string, code: string, reason: string): DomainError => validationFailed([{ path, code, reason }]);
