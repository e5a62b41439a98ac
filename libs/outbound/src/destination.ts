import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isAddressAllowed } from './address-policy.js';
import { DestinationRefused } from './outbound-error.js';

export interface OutboundPolicy {
  /** The operator allows destinations in the same network: private addresses, and http in addition to https. */
  allowPrivate: boolean;
  /** All addresses of a name. Rejects when it has none. Default: the resolver of the system. */
  resolve?: (hostname: string) => Promise<string[]>;
}

const LONGEST_URL = 2_048;

/**
 * Checks a URL when it is saved. Accepts a name that does not resolve, because it may resolve later. Every connection checks
 * the dialled address again.
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
 * Checks a URL without a name lookup. The URL parser has already normalized decimal, octal, hexadecimal and short forms of
 * IPv4.
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

/** One forbidden address refuses the name, because a connection could use that address. */
export function requireAllowed(host: string, addresses: readonly string[], { allowPrivate }: OutboundPolicy): void {
  if (addresses.every((address) => isAddressAllowed(address, allowPrivate))) return;
  throw new DestinationRefused(`${host} is not an address on the internet, and private ones are not allowed here`);
}

/** Without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
