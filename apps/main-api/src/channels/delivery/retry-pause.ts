const FIRST_SECONDS = 10;
const GROWTH = 3;
const LONGEST_SECONDS = 4 * 3_600;
const SPREAD = 0.1;

/**
 * Seconds until the next attempt, after so many: 10 s, 30 s, 90 s … 4 h, a tenth more or less, so that what failed together
 * does not come back together. At least as long as the destination asked for.
 */
export function retryPause(attempts: number, requestedSeconds = 0, random = Math.random()): number {
  const pause = Math.min(FIRST_SECONDS * GROWTH ** (attempts - 1), LONGEST_SECONDS);
  return Math.max(pause * (1 + SPREAD * (2 * random - 1)), requestedSeconds);
}
