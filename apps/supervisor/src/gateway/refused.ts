/** A refusal of the gateway. Agents read only the status. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** For 429, 500 and 503. */
    readonly retryAfterSeconds = 1,
  ) {
    super(code);
  }
}

export const invalid = (): Refused => new Refused(400, 'validation_failed');
/** A removed machine ends its nodes: others may have taken their places. */
export const machineRemoved = (): Refused => new Refused(410, 'machine_removed');
export const tooLarge = (): Refused => new Refused(413, 'payload_too_large');
export const tooFast = (retryAfterSeconds = 1): Refused => new Refused(429, 'rate_limited', retryAfterSeconds);
