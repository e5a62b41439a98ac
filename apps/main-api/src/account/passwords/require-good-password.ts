import { passwordFault, validationFailed } from '@libs/domain';

/** @throws DomainError validation_failed for a common password or the e-mail address */
export function requireGoodPassword(password: string, email: string, path: string): void {
  const fault = passwordFault(password, email);
  if (fault) throw validationFailed([{ path, ...fault }]);
}
