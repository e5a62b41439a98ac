/** Why an object was not stored or read. */
export type ObjectFault =
  /** There is no such object. */
  | 'missing'
  /** More bytes than the caller allows. Nothing is stored. */
  | 'too_large'
  /** The store failed. A retry may help. */
  | 'unavailable';

/** Thrown by every ObjectStore. The message is for people and contains no secret. */
export class ObjectStoreError extends Error {
  constructor(
    readonly fault: ObjectFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
