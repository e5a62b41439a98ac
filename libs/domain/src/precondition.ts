import { DomainError } from './domain-error.js';

/** The condition of a change: the record is still the one that the caller has read (C-4.8). */
export class Precondition {
  /** `isMetBy` compares a record with the version that the caller has read. Null: the caller accepts every version. */
  constructor(private readonly isMetBy: ((record: object) => boolean) | null) {}

  /** Whether the caller has a condition, so that the record is needed. */
  get isGiven(): boolean {
    return this.isMetBy !== null;
  }

  /**
   * Checks the record as its GET returns it now. The caller must have locked the row in the transaction of the change.
   * @throws DomainError precondition_failed
   */
  require(record: object): void {
    if (this.isMetBy === null || this.isMetBy(record)) return;
    throw new DomainError('precondition_failed', 'The resource has changed since it was read.');
  }
}
