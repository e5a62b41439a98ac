/** A sleep that can be interrupted. A wake-up before the sleep also counts, so that none is lost. */
export class Wakeup {
  private isPending = false;
  private wake: (() => void) | null = null;

  wakeUp(): void {
    this.isPending = true;
    this.wake?.();
  }

  /** Resolves after `ms`, on a wake-up, or when the signal aborts. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isPending && !signal.aborted) await this.pause(ms, signal);
    this.isPending = false;
  }

  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      this.wake = end;
    });
  }
}
