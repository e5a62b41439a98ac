/**
 * Calls `look` every `intervalMs` until it returns true (returns true) or the deadline has passed (returns false). Rejects when
 * aborted.
 */
export async function until(
  look: () => Promise<boolean>,
  limits: { deadlineMs: number; intervalMs: number; signal?: AbortSignal | undefined },
): Promise<boolean> {
  const end = Date.now() + limits.deadlineMs;
  while (!(await look())) {
    limits.signal?.throwIfAborted();
    if (Date.now() >= end) return false;
    await new Promise((wake) => setTimeout(wake, limits.intervalMs));
  }
  return true;
}
