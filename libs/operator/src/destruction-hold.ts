import { DestructionHoldRepository, IncidentCommandsRepository, type HeldOperation } from '@libs/persistence/operator';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';
import { RESTORED_FROM_BACKUP } from './restoration.js';

/**
 * After a restore nothing is destroyed until an operator has checked. The rows lack everything that was created after the
 * backup, and a resource that they mark for deletion may contain newer customer data.
 */
export class DestructionHold {
  private readonly hold: DestructionHoldRepository;

  constructor(private readonly session: OperatorSession) {
    this.hold = new DestructionHoldRepository(session.database);
  }

  /** The start of the hold, and the operations that may be waiting for its end. */
  async look(): Promise<{ since: Date | null; waiting: HeldOperation[] }> {
    return { since: await this.hold.since(), waiting: await this.hold.waiting() };
  }

  /** Ends the hold. Returns the operations that continue. @throws OperatorRefused when there is no hold */
  async end(): Promise<HeldOperation[]> {
    const { database, journal } = this.session;
    return database.transaction(async () => {
      if (!(await this.hold.end()))
        throw new OperatorRefused('Destruction is not on hold. No operation waits for this command.');
      const waiting = await this.hold.waiting();
      await this.hold.wake(waiting.map(({ id }) => id));
      await new IncidentCommandsRepository(database).closeKind(RESTORED_FROM_BACKUP);
      const operations = waiting.map(({ id }) => id);
      await journal.record({ verb: 'resume-destruction', subject: 'installation', detail: { operations } });
      return waiting;
    });
  }
}
