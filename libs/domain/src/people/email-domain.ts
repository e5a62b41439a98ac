import { domainToASCII } from 'node:url';
import { getDomain } from 'tldts';
import { PUBLIC_EMAIL_DOMAINS } from './public-email-domains.js';

// Under a suffix that a provider hands out (github.io), each name below it is somebody else's.
const OPTIONS = { allowPrivateDomains: true };
const PUBLIC = new Set<string>(PUBLIC_EMAIL_DOMAINS);

/** What stands behind the @, in lower case, in the one spelling of DNS (`müller.de` → `xn--mller-kva.de`); empty when nothing does. */
export function domainOf(email: string): string {
  const domain = email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .replace(/\.$/, '');
  return domainToASCII(domain) || domain;
}

/**
 * The domain that somebody registered, of an address below it (`eu.acme.co.uk` → `acme.co.uk`), in lower case; null for what
 * nobody can register: an address of numbers, a public suffix, a bare host name.
 */
export const registrableDomainOf = (email: string): string | null => getDomain(domainOf(email), OPTIONS);

/** Whether anybody gets an address there: such a domain belongs to no organization. */
export const isPublicProvider = (domain: string): boolean => PUBLIC.has(domain.toLowerCase());

/** The domain of the organization behind an address; null for public providers and for what cannot be registered. */
export function corporateDomainOf(email: string): string | null {
  const domain = registrableDomainOf(email);
  return domain === null || isPublicProvider(domain) || isPublicProvider(domainOf(email)) ? null : domain;
}
