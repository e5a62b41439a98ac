import { serverNow } from '../../api/clock.js';

const DAY_MS = 86_400_000;

/** The full hour before the end of the days, so that the same choice has the same value through an hour. */
export function inDays(days: number): string {
  const end = new Date(serverNow() + days * DAY_MS);
  end.setUTCMinutes(0, 0, 0);
  return end.toISOString();
}

/** How long a new key lives. */
export const VALIDITIES = [7, 30, 90, 365].map((days) => ({ value: inDays(days), label: `${days} days` }));
