import { iggyLine, isProvenIggy, PROVEN_IGGY_LINE } from '@libs/domain/iggy-releases';
import { BrokerError } from '../../../control/broker-error.js';

/** Throws BrokerError for a release whose data nobody has copied and started again. */
export function requireCopies(release: string): void {
  if (!isProvenIggy(release)) throw new BrokerError(`copies of the data of iggy ${release} are not proven`);
}

/**
 * Throws BrokerError when the program of this release must not run on the data of the wanted release. The server itself would start:
 * it reads data of another line wrongly, or not at all, and says nothing.
 */
export function requireUsable(release: string, expected: string, allowsUnproven: boolean): void {
  if (iggyLine(release) !== iggyLine(expected))
    throw new BrokerError(
      `the data of this node is of iggy ${expected}, but iggy-server is ${release}: lines of releases cannot read each other's data`,
    );
  if (!isProvenIggy(release) && !allowsUnproven)
    throw new BrokerError(
      `iggy-server ${release} is not proven with this Landlord: use ${PROVEN_IGGY_LINE}, or set IGGY_UNPROVEN_RELEASES=true`,
    );
}
