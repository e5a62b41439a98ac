import { PaymentGateway, type CardVerdict, type ChargeOutcome } from './payment-gateway.js';

const REASON = 'there is no card gateway here; use manual, an invoice agreement';

/** For an installation without a gateway: refuses every card and charges nothing. */
export class NoPaymentGateway extends PaymentGateway {
  readonly provider = null;

  async verify(): Promise<CardVerdict> {
    return { outcome: 'refused', reason: REASON };
  }

  async charge(): Promise<ChargeOutcome> {
    return { outcome: 'declined', reason: REASON };
  }
}
