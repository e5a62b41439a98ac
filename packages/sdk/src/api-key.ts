import { WrongUseError } from './errors.js';

/** Everything but printable ASCII. A header with such a character is refused before the request is sent. */
const NOT_IN_A_KEY = /[^ -~]/;

/**
 * The key as a header takes it. A file or a variable often ends with a line break.
 * @throws WrongUseError for a character that no key has. The message does not have the key
 */
export function usableKey(key: string): string {
  const trimmed = key.trim();
  if (!NOT_IN_A_KEY.test(trimmed)) return trimmed;
  throw new WrongUseError('The API key has a line break or another character that no key has. Copy the key again.');
}
