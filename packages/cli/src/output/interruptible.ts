/** Runs work that Ctrl-C ends: its signal is aborted, and `onInterrupt` decides how the command ends. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>, onInterrupt: () => T): Promise<T> {
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort();
  process.once('SIGINT', stop);
  try {
    return await work(interrupted.signal);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    return onInterrupt();
  } finally {
    process.off('SIGINT', stop);
  }
}
