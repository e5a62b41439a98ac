import { DomainError } from '@libs/domain';
import { etagOf, matches } from '../answers/landlord.adapter.js';

/**
 * Honours `if-match` against the record as its GET would answer it now. Call it on the locked row, in the transaction
 * of the change.
 * @throws DomainError precondition_failed
 */
export function requireMatch(ifMatch: string | undefined, view: object): void {
  if (ifMatch === undefined || matches(ifMatch, etagOf(JSON.stringify(view)))) return;
  throw new DomainError('precondition_failed', 'The resource has changed since it was read.');
}
