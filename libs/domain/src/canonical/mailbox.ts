import { domainOf } from '../people/email-domain.js';

/**
 * Returns the form in which addresses of one mailbox are equal: the local part in lower case, and the domain as in DNS
 * (`Me@MÜNCHEN.de` → `me@xn--mnchen-3ya.de`). For comparisons only: an address is shown and written to as it was typed.
 */
export function canonicalMailbox(email: string): string {
  const address = email.trim();
  const at = address.lastIndexOf('@');
  if (at < 0) return address.normalize('NFC').toLowerCase();
  return `${address.slice(0, at).normalize('NFC').toLowerCase()}@${domainOf(address)}`;
}
