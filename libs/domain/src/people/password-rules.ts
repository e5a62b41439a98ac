import { LEAKED_PASSWORDS } from './leaked-passwords.js';

export const PASSWORD_LENGTH = { minimum: 10, maximum: 200 } as const;

/** Returns the fault of a new password for the user with this address, or null. The caller has checked the length. */
export function passwordFault(password: string, email: string): { code: string; reason: string } | null {
  const [lower, address] = [password.trim().toLowerCase(), email.trim().toLowerCase()];
  const localPart = address.slice(0, address.lastIndexOf('@'));
  if (lower === address || lower === localPart)
    return { code: 'is_email', reason: 'must not be the e-mail address, or the part before its @' };
  if (LEAKED_PASSWORDS.has(lower))
    return { code: 'is_common', reason: 'is one of the most common passwords; choose another' };
  return null;
}
