import { DomainError } from '@libs/domain';
import { etagOf, matches } from '../answers/landlord.adapter.js';

/**
 * Checks `if-match` against the record as its GET would return it now. The caller must have locked the row in the
 * transaction of the change.
 * @throws DomainError precondition_failed
 */
export function requireMatch(ifMatch: string | undefined, view: object): void {
  if (ifMatch === undefined || matches(ifMatch, etagOf(JSON.stringify(view)))) return;
  throw new DomainError('precondition_failed', 'The resource has changed since it was read.');
}
