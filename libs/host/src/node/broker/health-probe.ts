/** Number of failed queries, 5 s each, after which a listening process counts as hung. */
const HUNG_AFTER = 3;

/** What a probe needs of one process. */
export interface ProbedProcess<T> {
  /** Null when no process answers; rejects when a process listens and does not answer in time. */
  contact(): Promise<T | null>;
  /** Ends the hung process. */
  end(error: unknown): Promise<void>;
}

/** Queries a process that may be slow, and ends it when it is hung. */
export class HealthProbe {
  private failures = 0;

  /** Null when no process answers, or when the hung process was ended. Rejects before the limit of failures. */
  async query<T>(process: ProbedProcess<T>): Promise<T | null> {
    try {
      const contact = await process.contact();
      this.failures = 0;
      return contact;
    } catch (error) {
      this.failures += 1;
      if (this.failures < HUNG_AFTER) throw error;
      await process.end(error);
      return null;
    }
  }
}
