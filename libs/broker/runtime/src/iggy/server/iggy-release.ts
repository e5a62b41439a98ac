import { BrokerError } from '../../broker-error.js';

/** The release line that Landlord has proofs for. */
const PROVEN_LINE = '0.8';

/** A release of a line that was tried. A pre-release such as `0.8.0-edge.1` was not. */
export const isProven = (release: string): boolean => lineOf(release) === PROVEN_LINE && !release.includes('-');

/** `0.8.0` is of the line `0.8`. Pre-releases have other formats than their release, so each one is a line of its own. */
export const lineOf = (release: string): string =>
  release.includes('-') ? release : release.split('.').slice(0, 2).join('.');

/**
 * Throws BrokerError when the program of this release must not run on the data of the wanted release. The server itself would start:
 * it reads data of another line wrongly, or not at all, and says nothing.
 */
export function requireUsable(release: string, wanted: string, allowsUnproven: boolean): void {
  if (lineOf(release) !== lineOf(wanted))
    throw new BrokerError(
      `the data of this node is of iggy ${wanted}, but iggy-server is ${release}: lines of releases cannot read each other's data`,
    );
  if (!isProven(release) && !allowsUnproven)
    throw new BrokerError(
      `iggy-server ${release} is not proven with this Landlord: use ${PROVEN_LINE}, or set IGGY_UNPROVEN_RELEASES=true`,
    );
}
