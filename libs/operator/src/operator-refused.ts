/** A refused command of an operator. The message is for the person: the problem, and the action to take. */
export class OperatorRefused extends Error {
  override readonly name = 'OperatorRefused';
}
