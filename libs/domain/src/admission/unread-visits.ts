import type { Visit } from './visit.js';

/** The connections that Node has accepted and not read from yet: those of the current turn of the event loop and of the turn before. */
export class UnreadVisits {
  private accepted: Visit[] = [];

  /** `onRead`: called after Node has read what had come. */
  constructor(private readonly onRead: (visits: readonly Visit[]) => void) {}

  get size(): number {
    return this.accepted.length;
  }

  add(visit: Visit): void {
    this.accepted.push(visit);
    if (this.accepted.length > 1) return;
    // The first turn ends before Node polls the new connections, the second one after that.
    setImmediate(() => setImmediate(() => this.read()));
  }

  private read(): void {
    const visits = this.accepted;
    this.accepted = [];
    for (const visit of visits) visit.isUnread = false;
    this.onRead(visits);
  }
}
