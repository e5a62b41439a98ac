import type { Terminal } from './terminal.js';

/**
 * Periodic work of the launcher, which must never end it: apps and brokers would end too, because a log could not be rotated. A
 * failure is reported once, until the work succeeds again.
 */
export class Upkeep {
  private readonly failures = new Map<string, string>();

  constructor(private readonly terminal: Terminal) {}

  /** Runs the work. `name`: a noun for the person at the terminal. */
  run(name: string, work: () => void): void {
    try {
      work();
      this.failures.delete(name);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.failures.get(name) === reason) return;
      this.failures.set(name, reason);
      this.terminal.complain(`${name}: ${reason}. Landlord continues and tries again.`);
    }
  }
}
