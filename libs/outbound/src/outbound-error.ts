/** A refused URL, header or address. `message` is one line for the owner of the URL. */
export class DestinationRefused extends Error {
  override readonly name = 'DestinationRefused';
}

/** Failures of requests. A retry makes sense for all except a redirect. */
export const OUTBOUND_FAILURES = ['unreachable', 'timeout', 'aborted', 'redirect'] as const;
export type OutboundFailure = (typeof OUTBOUND_FAILURES)[number];

/** A request without a usable answer. `message` is one line and quotes neither headers nor bodies. */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed';

  constructor(
    readonly failure: OutboundFailure,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}
