const BASE_SECONDS = 0.25;
const LONGEST_SECONDS = 30;

/** Returns the seconds until the next attempt: from 0.25 to 30 seconds, doubled each time, half of it random. */
export function backoffSeconds(attempt: number, chance: () => number = Math.random): number {
  const full = Math.min(LONGEST_SECONDS, BASE_SECONDS * 2 ** Math.min(attempt, 10));
  return full * (0.5 + chance() / 2);
}
