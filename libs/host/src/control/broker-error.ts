/** A refusal or failure of a broker runtime. `message` is one line without secrets, because it is reported as `last_error`. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
}
