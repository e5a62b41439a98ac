/**
 * Seconds or an HTTP date, in milliseconds from `nowMs`, the time of the server. Limited to ten minutes, because a node that is silent
 * for longer counts as dead.
 */
export function retryAfterMs(header: string | undefined, nowMs = Date.now()): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), 600_000);
}
