/** Why a gateway gave no answer. */
export type GatewayFault =
  /** It is away, or its answer was lost: it may have done what was asked. The same call again, with the same key, is safe. */
  | 'unavailable'
  /** What was asked makes no sense to it, such as one key for two charges. Again is of no use; nothing was charged. */
  | 'misused';

/** Thrown by every PaymentGateway; the message is for people and holds no secret. */
export class PaymentGatewayError extends Error {
  constructor(
    readonly fault: GatewayFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get isRetryable(): boolean {
    return this.fault === 'unavailable';
  }
}
