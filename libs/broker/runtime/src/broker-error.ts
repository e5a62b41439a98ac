/** What a broker runtime refuses or fails at. `message` is one line without secrets: it is reported as `last_error`. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
}
