/** Why an object could not be stored or read. */
export type ObjectFault =
  /** There is no such object. */
  | 'missing'
  /** More bytes came than the caller allows; nothing is stored. */
  | 'too_large'
  /** The store did not do its part; trying again may help. */
  | 'unavailable';

/** Thrown by every ObjectStore; the message is for people and holds no secret. */
export class ObjectStoreError extends Error {
  constructor(
    readonly fault: ObjectFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
