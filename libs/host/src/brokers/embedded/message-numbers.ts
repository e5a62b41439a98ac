import type { Client } from 'aedes';

const MOST = 65_535;
/** The member of an aedes client with the number of its next message. */
const NEXT = '_nextId';

/**
 * Prevents that a connection gives a message a number that another message of the session has.
 *
 * aedes begins the numbers of each connection at random. A message that waits for its acknowledgement keeps its number over
 * connections. With two messages of one number, the acknowledgement of the first would remove the second from the session, and a
 * client that has not received the second message would lose it.
 */
export function avoidNumbers(client: Client, used: ReadonlySet<number>): void {
  if (used.size === 0 || used.size >= MOST) return;
  const free = (number: number): number => {
    let next = number;
    while (used.has(next)) next = next >= MOST ? 1 : next + 1;
    return next;
  };
  let next = free(Reflect.get(client, NEXT) as number);
  // aedes reads the member for each message, and then writes the number after it.
  Object.defineProperty(client, NEXT, {
    get: () => next,
    set: (number: number) => {
      next = free(number);
    },
  });
}
