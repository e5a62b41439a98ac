import { validationFailed } from '@libs/domain';
import type { Request } from 'express';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * Returns the idempotency key of a POST or PUT, or null. Other methods are idempotent without a key.
 * @throws DomainError validation_failed for a key outside 1–255 printable characters
 */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || (request.method !== 'POST' && request.method !== 'PUT')) return null;
  if (typeof key === 'string' && PRINTABLE.test(key)) return key;
  throw validationFailed([
    { path: '/headers/idempotency-key', code: 'length', reason: 'must be 1 to 255 printable characters' },
  ]);
}
