import { DomainError, outageAtWork, OutcomeUnknown, type OutageCode } from '@libs/domain';

/** A disk is not freed in a second. A database is often back after one. */
const RETRY_SECONDS: Record<OutageCode, number> = { storage_full: 5, service_busy: 1 };

const UNKNOWN =
  'It is not known whether the change was made: read the resource, or repeat with the same idempotency-key.';

/** The refusal for a failure of the database or of the disk. Null for every other error. */
export function outageRefusal(error: unknown): DomainError | null {
  const outage = outageAtWork(error);
  if (outage === null) return null;
  const { code, says } = outage;
  const isUnknown = error instanceof OutcomeUnknown;
  return new DomainError(code, isUnknown ? `${says} ${UNKNOWN}` : `${says} Repeat the request.`, {
    retryAfterSeconds: RETRY_SECONDS[code],
    cause: error,
    // Any other 503 has changed nothing, and clients rely on it.
    ...(isUnknown && { members: { outcome: 'unknown' } }),
  });
}
