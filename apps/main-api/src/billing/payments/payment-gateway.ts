/** Whether a card can be charged. */
export type CardVerdict =
  | { outcome: 'good' }
  /** `reason`: for the customer, in plain words, such as "has expired"; no secret in it. */
  | { outcome: 'refused'; reason: string };

export interface Charge {
  /** At most 255 visible ASCII characters; one for each attempt to have one amount paid. */
  idempotencyKey: string;
  /** The token under which the gateway knows the card of the customer: never its number. */
  reference: string;
  /** Decimal, above zero, with two digits after the point, such as `1470.49`. */
  amountUsd: string;
  /** What the customer reads on the statement: at most 100 characters. */
  description: string;
}

export type ChargeOutcome =
  /** `paymentId`: under which the gateway knows the payment; the same for the same key. */
  | { outcome: 'paid'; paymentId: string }
  /** `reason`: for the customer, in plain words; no secret in it. */
  | { outcome: 'declined'; reason: string };

/**
 * Where cards are charged (C-25.5). There is no driver for a real gateway: one is a class that extends this, passes
 * `payment-gateway.contract.fixture.ts`, and is provided in the place of NoPaymentGateway
 * (docs/decisions/0035-card-payments-are-a-port.md).
 *
 * Every method asks another machine: never within a transaction. Each gives an answer or rejects with
 * PaymentGatewayError within 30 seconds; `unavailable` means that nobody knows, and that asking again is safe.
 */
export abstract class PaymentGateway {
  /** Name of the gateway for people, such as `Stripe`; null when there is none. */
  abstract readonly provider: string | null;

  /** Whether the card of this token can be charged. Charges nothing. */
  abstract verify(reference: string): Promise<CardVerdict>;

  /**
   * Charges a card at most once for each key, whoever asks, how often, and how many at once. The answer to a key never
   * changes: after `declined` another attempt needs another key. A key with another card or amount rejects as `misused`.
   */
  abstract charge(charge: Charge): Promise<ChargeOutcome>;
}
