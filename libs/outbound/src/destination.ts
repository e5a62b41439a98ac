import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isAddressAllowed } from './address-policy.js';
import { DestinationRefused } from './outbound-error.js';

export interface OutboundPolicy {
  /** Operator's choice, for destinations in the same network: private addresses, and http beside https. */
  allowPrivate: boolean;
  /** All addresses of a name; rejects when it has none. The system's resolver unless a test says otherwise. */
  resolve?: (hostname: string) => Promise<string[]>;
}

const LONGEST_URL = 2_048;

/**
 * Judges a URL when it is saved. A name that does not resolve is taken: it may resolve later, and is judged again whenever a
 * connection is made, by the address that is dialled then.
 * @throws DestinationRefused
 */
export async function checkDestination(url: string, policy: OutboundPolicy): Promise<URL> {
  const parsed = readDestination(url, policy);
  const host = hostOf(parsed);
  if (isIP(host) === 0) {
    const addresses = await addressesOf(host, policy).catch(() => []);
    requireAllowed(host, addresses, policy);
  }
  return parsed;
}

/**
 * What can be said of a URL without asking anybody. The URL parser has brought decimal, octal, hexadecimal and short forms of
 * IPv4 into the usual one before the host is judged.
 * @throws DestinationRefused
 */
export function readDestination(url: string, { allowPrivate }: OutboundPolicy): URL {
  if (url.length > LONGEST_URL) throw new DestinationRefused(`the URL is longer than ${LONGEST_URL} characters`);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null) throw new DestinationRefused('this is not a URL');
  const isScheme = parsed.protocol === 'https:' || (allowPrivate && parsed.protocol === 'http:');
  if (!isScheme) throw new DestinationRefused('the URL must begin with https://');
  if (parsed.username !== '' || parsed.password !== '')
    throw new DestinationRefused('the URL must not hold a user name or password; send them by a header');
  const host = hostOf(parsed);
  if (host === '') throw new DestinationRefused('the URL has no host');
  if (isIP(host) !== 0) requireAllowed(host, [host], { allowPrivate });
  return parsed;
}

/** All addresses of a name. Rejects when it does not resolve. */
export async function addressesOf(host: string, { resolve }: OutboundPolicy): Promise<string[]> {
  if (resolve) return resolve(host);
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** One address that is not allowed condemns the name: who dials could be given that one. */
export function requireAllowed(host: string, addresses: readonly string[], { allowPrivate }: OutboundPolicy): void {
  if (addresses.every((address) => isAddressAllowed(address, allowPrivate))) return;
  throw new DestinationRefused(`${host} is not an address on the internet, and private ones are not allowed here`);
}

/** Without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
