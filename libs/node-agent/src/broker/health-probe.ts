/** So many asks in vain, 5 s each, and a process that holds its socket counts as hung. */
const HUNG_AFTER = 3;

/** Asks a process that may be slow, and says when it has been slow for too long. */
export class HealthProbe<T> {
  private inVain = 0;

  constructor(
    private readonly contact: () => Promise<T | null>,
    /** Ends the process. */
    private readonly end: (error: unknown) => Promise<void>,
  ) {}

  /** Null when nobody answers, or the one that did not was ended; rejects while there is hope. */
  async ask(): Promise<T | null> {
    try {
      const contact = await this.contact();
      this.inVain = 0;
      return contact;
    } catch (error) {
      this.inVain += 1;
      if (this.inVain < HUNG_AFTER) throw error;
      await this.end(error);
      return null;
    }
  }
}
