import { duplexPair, type Duplex } from 'node:stream';

/** The two ends of a connection within this process. The end of one ends the other. */
export function linkedPair(): [Duplex, Duplex] {
  const [near, far] = duplexPair();
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => one.destroy());
    one.once('close', () => other.destroy());
  }
  return [near, far];
}
