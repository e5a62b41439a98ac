const BASE_SECONDS = 0.25;
const LONGEST_SECONDS = 30;

/** Seconds until the next attempt: doubling from a quarter of a second to half a minute, half of it by chance. */
export function backoffSeconds(attempt: number, chance: () => number = Math.random): number {
  const full = Math.min(LONGEST_SECONDS, BASE_SECONDS * 2 ** Math.min(attempt, 10));
  return full * (0.5 + chance() / 2);
}
