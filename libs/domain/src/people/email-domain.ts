import { domainToASCII } from 'node:url';
import { getDomain } from 'tldts';
import { PUBLIC_EMAIL_DOMAINS } from './public-email-domains.js';

// With a private suffix of a provider (github.io), each name below it belongs to another customer.
const OPTIONS = { allowPrivateDomains: true };
const PUBLIC = new Set<string>(PUBLIC_EMAIL_DOMAINS);

/**
 * Returns the part after the @ in lower case, in the ASCII form of DNS (`müller.de` → `xn--mller-kva.de`). Empty when
 * there is no part after the @.
 */
export function domainOf(email: string): string {
  const domain = email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .replace(/\.$/, '');
  return domainToASCII(domain) || domain;
}

/**
 * Returns the registrable domain of an address (`eu.acme.co.uk` → `acme.co.uk`) in lower case. Null for a domain that
 * cannot be registered: an IP address, a public suffix, a single host name.
 */
export const registrableDomainOf = (email: string): string | null => getDomain(domainOf(email), OPTIONS);

/** Whether the domain is a public mail provider. Such a domain belongs to no tenant. */
export const isPublicProvider = (domain: string): boolean => PUBLIC.has(domain.toLowerCase());

/**
 * Returns the domain of the organization of an address. Null for public providers and for domains that cannot be
 * registered.
 */
export function corporateDomainOf(email: string): string | null {
  const domain = registrableDomainOf(email);
  return domain === null || isPublicProvider(domain) || isPublicProvider(domainOf(email)) ? null : domain;
}
