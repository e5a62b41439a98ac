import { DomainError } from '@libs/domain';

/**
 * Stands before the deletion of what is protected. No code can have been requested yet in this release, so none is
 * valid: take the protection off first.
 * @throws DomainError protection_code_required, protection_code_invalid
 */
export function requireCode(isProtected: boolean, code: string | undefined): void {
  if (!isProtected) return;
  if (code === undefined || code === '')
    throw new DomainError('protection_code_required', 'It is protected; send the one-time code as ?code=.');
  throw new DomainError('protection_code_invalid', 'The code is wrong, expired, used or was never requested.');
}
