import { statement } from '@libs/persistence';
import { Incident, Installation, type Operation } from '@libs/persistence/operator';
import { IsNull, Not } from 'typeorm';
import { WAITS_FOR } from './operation-commands.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';
import { RESTORED_FROM_BACKUP } from './restoration.js';

/** An operation that may destroy resources after the hold ends. */
export interface HeldOperation extends Pick<Operation, 'id' | 'type' | 'tenant_id' | 'deployment_id' | 'step'> {
  waits_for: string | null;
}

// Undo steps are destructive too: they remove resources that a failed operation created.
const WAITING = statement(
  'hold.waiting',
  `select o.id, o.type, o.tenant_id, o.deployment_id, o.step, ${WAITS_FOR} as waits_for from operations o
    where o.status in ('pending', 'running') and (o.undoing or o.cancel_reason is not null or o.type = 'delete_deployment')
    order by o.id limit 1000`,
);
// The signal also reaches a step that is just about to nap.
const WAKE = statement(
  'hold.wake',
  `update operations set wake_at = now(), signal_seq = signal_seq + 1 where id = any($1) and status in ('pending', 'running')`,
);

/**
 * After a restore nothing is destroyed until an operator has checked. The rows lack everything that was created after the
 * backup, and a resource that they mark for deletion may contain newer customer data.
 */
export class DestructionHold {
  constructor(private readonly session: OperatorSession) {}

  /** When the hold started. Null when there is no hold. */
  async since(): Promise<Date | null> {
    const [installation] = await this.session.database.repository(Installation).find();
    return installation?.destruction_held_since ?? null;
  }

  /** The start of the hold, and the operations that may be waiting for its end. */
  async look(): Promise<{ since: Date | null; waiting: HeldOperation[] }> {
    return { since: await this.since(), waiting: await this.waiting() };
  }

  /** Ends the hold. Returns the operations that continue. @throws OperatorRefused when there is no hold */
  async end(): Promise<HeldOperation[]> {
    const { database, journal } = this.session;
    return database.transaction(async () => {
      if (!(await this.storeEnd()))
        throw new OperatorRefused('Destruction is not on hold. No operation waits for this command.');
      const waiting = await this.waiting();
      const operations = waiting.map(({ id }) => id);
      await database.execute(WAKE, [operations]);
      await this.closeIncidents();
      await journal.record({ verb: 'resume-destruction', subject: 'installation', detail: { operations } });
      return waiting;
    });
  }

  private async waiting(): Promise<HeldOperation[]> {
    return this.session.database.query<HeldOperation>(WAITING);
  }

  private async storeEnd(): Promise<boolean> {
    const condition = { destruction_held_since: Not(IsNull()) };
    const changes = { destruction_held_since: null };
    const { affected } = await this.session.database.repository(Installation).update(condition, changes);
    return affected === 1;
  }

  private async closeIncidents(): Promise<void> {
    const open = { kind: RESTORED_FROM_BACKUP, closed_at: IsNull() };
    await this.session.database.repository(Incident).update(open, { closed_at: () => 'now()' });
  }
}
