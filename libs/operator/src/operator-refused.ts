/** What the operator wants cannot be done. The message is written for the person: what is wrong, what to do. */
export class OperatorRefused extends Error {
  override readonly name = 'OperatorRefused';
}
