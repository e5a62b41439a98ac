/** Why a gateway returned no result. */
export type GatewayFault =
  /**
   * The gateway is unavailable, or its answer was lost: it may have executed the call. The same call with the same key
   * is safe.
   */
  | 'unavailable'
  /** The gateway does not accept the call, such as one key for two charges. A retry does not help; nothing was charged. */
  | 'misused';

/** Thrown by every PaymentGateway. The message is for people and contains no secret. */
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
