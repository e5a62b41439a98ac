import { cutText } from '@libs/domain';

/** Maximum characters of a pointer: the member names of a client must not make a refusal larger than its request. */
const LONGEST = 300;

/** Returns the JSON pointer (RFC 6901) to a member, cut after 300 characters. */
export function pointerTo(names: readonly string[]): string {
  const pointer = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return pointer.length <= LONGEST ? pointer : `${cutText(pointer, LONGEST)}…`;
}
