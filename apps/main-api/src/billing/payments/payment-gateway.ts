/** Whether a card can be charged. */
export type CardVerdict =
  | { outcome: 'good' }
  /** `reason`: for the customer, in plain words, such as "has expired". Must not contain a secret. */
  | { outcome: 'refused'; reason: string };

export interface Charge {
  /** At most 255 visible ASCII characters. One key for each attempt to charge one amount. */
  idempotencyKey: string;
  /** The token of the card at the gateway, never the number of the card. */
  reference: string;
  /** A decimal above zero with two decimals, such as `1470.49`. */
  amountUsd: string;
  /** The text on the customer's statement: at most 100 characters. */
  description: string;
}

export type ChargeOutcome =
  /** `paymentId`: the id of the payment at the gateway; the same for the same key. */
  | { outcome: 'paid'; paymentId: string }
  /** `reason`: for the customer, in plain words. Must not contain a secret. */
  | { outcome: 'declined'; reason: string };

/**
 * The port for charging cards (C-25.5). There is no driver for a real gateway. A driver is a class that extends this
 * one, passes `payment-gateway.contract.fixture.ts`, and replaces NoPaymentGateway
 * (docs/decisions/0035-card-payments-are-a-port.md).
 *
 * Every method calls another machine, so it must not run in a transaction. Each call returns a result or rejects with
 * PaymentGatewayError within 30 seconds. `unavailable` means that the result is unknown, and that a retry is safe.
 */
export abstract class PaymentGateway {
  /** Name of the gateway for people, such as `Stripe`; null when there is none. */
  abstract readonly provider: string | null;

  /** Whether the card of this token can be charged. Charges nothing. */
  abstract verify(reference: string): Promise<CardVerdict>;

  /**
   * Charges a card at most once for each key, also with repeated and concurrent calls. The result of a key never
   * changes: after `declined`, another attempt needs another key. A key with another card or amount rejects as
   * `misused`.
   */
  abstract charge(charge: Charge): Promise<ChargeOutcome>;
}
