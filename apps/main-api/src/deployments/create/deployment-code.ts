import { randomInt } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 8;

/**
 * Returns a short resource code: 8 lower-case base32 characters, the first a letter, so that the code is a valid host
 * name.
 */
export const newDeploymentCode = (): string =>
  Array.from({ length: LENGTH }, (_, index) => ALPHABET.charAt(randomInt(index === 0 ? 26 : ALPHABET.length))).join('');
