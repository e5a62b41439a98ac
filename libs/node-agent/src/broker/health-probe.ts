/** Number of failed queries, 5 s each, after which a listening process counts as hung. */
const HUNG_AFTER = 3;

/** Queries a process that may be slow, and ends it when it is hung. */
export class HealthProbe<T> {
  private inVain = 0;

  constructor(
    private readonly contact: () => Promise<T | null>,
    /** Ends the process. */
    private readonly end: (error: unknown) => Promise<void>,
  ) {}

  /** Null when no process answers, or when the hung process was ended. Rejects before the limit of failures. */
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
