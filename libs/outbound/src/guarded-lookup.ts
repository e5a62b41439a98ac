import { isIP, type LookupFunction } from 'node:net';
import { addressesOf, requireAllowed, type OutboundPolicy } from './destination.js';
import { OutboundFailed } from './outbound-error.js';

/** The lookup of a connection: returns only addresses that were checked for this connection. */
export function guardedLookup(policy: OutboundPolicy): LookupFunction {
  return (hostname, { all }, callback) => {
    addressesOf(hostname, policy).then(
      (addresses) => {
        const refusal = refusalOf(hostname, addresses, policy);
        if (refusal) return callback(refusal, '');
        const entries = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all) return callback(null, entries);
        callback(null, entries[0]?.address ?? '', entries[0]?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

function refusalOf(hostname: string, addresses: string[], policy: OutboundPolicy): Error | null {
  if (addresses.length === 0) return new OutboundFailed('unreachable', `${hostname} has no address`);
  try {
    requireAllowed(hostname, addresses, policy);
    return null;
  } catch (error) {
    return error as Error;
  }
}
