import { DestructionHoldRepository, IncidentCommandsRepository, type HeldOperation } from '@libs/persistence/operator';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';
import { RESTORED_FROM_BACKUP } from './restoration.js';

/**
 * After a restore nothing is destroyed until an operator has looked: the rows do not know what was made since the backup,
 * and what they say is to be deleted may have become somebody's data since.
 */
export class DestructionHold {
  private readonly hold: DestructionHoldRepository;

  constructor(private readonly session: OperatorSession) {
    this.hold = new DestructionHoldRepository(session.database);
  }

  /** Since when destruction is held, and what may be waiting for its end. */
  async look(): Promise<{ since: Date | null; waiting: HeldOperation[] }> {
    return { since: await this.hold.since(), waiting: await this.hold.waiting() };
  }

  /** Ends it; answers what goes on now. @throws OperatorRefused when nothing is held */
  async end(): Promise<HeldOperation[]> {
    const { database, journal } = this.session;
    return database.transaction(async () => {
      if (!(await this.hold.end())) throw new OperatorRefused('Destruction is not held; nothing waits for it.');
      const waiting = await this.hold.waiting();
      await this.hold.wake(waiting.map(({ id }) => id));
      await new IncidentCommandsRepository(database).closeKind(RESTORED_FROM_BACKUP);
      const operations = waiting.map(({ id }) => id);
      await journal.record({ verb: 'resume-destruction', subject: 'installation', detail: { operations } });
      return waiting;
    });
  }
}
