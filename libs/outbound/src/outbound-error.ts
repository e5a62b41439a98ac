/** A URL, header or address to which nothing is sent. `message` is one line for whoever gave the URL. */
export class DestinationRefused extends Error {
  override readonly name = 'DestinationRefused';
}

/** What came of a request that was sent, or could not be: worth another try unless the destination answers a redirect. */
export const OUTBOUND_FAILURES = ['unreachable', 'timeout', 'aborted', 'redirect'] as const;
export type OutboundFailure = (typeof OUTBOUND_FAILURES)[number];

/** A request without an answer that can be used. `message` is one line and quotes neither headers nor bodies. */
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
