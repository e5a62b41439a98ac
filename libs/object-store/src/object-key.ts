import { ObjectStoreError } from './object-store-error.js';

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** Whether the text can be a part of a key. */
export const isSegment = (text: string): boolean => SEGMENT.test(text);

/** The parts of a key. Throws ObjectStoreError for a key that could leave the store. */
export function segmentsOf(key: string): string[] {
  const segments = key.split('/');
  if (segments.length === 0 || !segments.every(isSegment))
    throw new ObjectStoreError('missing', 'such a key cannot exist');
  return segments;
}
