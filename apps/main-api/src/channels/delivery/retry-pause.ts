const FIRST_SECONDS = 10;
const GROWTH = 3;
const LONGEST_SECONDS = 4 * 3_600;
const SPREAD = 0.1;

/**
 * Returns the seconds until the next attempt: 10 s, 30 s, 90 s … 4 h. The pause varies by a tenth, so that concurrent
 * failures are not retried together. Never shorter than the pause that the destination requests. The statement `lane.write`
 * of ChannelQueuesRepository compares the next attempt with `give_up_at`, and ends the delivery.
 */
export function retryPause(attempts: number, requestedSeconds = 0, random = Math.random()): number {
  const pause = Math.min(FIRST_SECONDS * GROWTH ** (attempts - 1), LONGEST_SECONDS);
  return Math.max(pause * (1 + SPREAD * (2 * random - 1)), requestedSeconds);
}
