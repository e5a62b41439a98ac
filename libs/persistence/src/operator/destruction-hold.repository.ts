import { statement, type Database } from '../database.js';
import { WAITS_FOR } from './operation-commands.repository.js';

/** An operation that may destroy something once it is let. */
export interface HeldOperation {
  id: number;
  type: string;
  tenant_id: number;
  deployment_id: number | null;
  step: string;
  waits_for: string | null;
}

const SINCE = statement('hold.since', 'select destruction_held_since as since from installation');
const END = statement(
  'hold.end',
  'update installation set destruction_held_since = null where destruction_held_since is not null',
);
// What undoes is destructive too: it removes what a failed operation made.
const WAITING = statement(
  'hold.waiting',
  `select o.id, o.type, o.tenant_id, o.deployment_id, o.step, ${WAITS_FOR} as waits_for from operations o
    where o.status in ('pending', 'running') and (o.undoing or o.cancel_reason is not null or o.type = 'delete_deployment')
    order by o.id limit 1000`,
);
const WAKE = statement(
  'hold.wake',
  `update operations set wake_at = now(), signal_seq = signal_seq + 1 where id = any($1) and status in ('pending', 'running')`,
);

/** The hold on destruction after the database was restored: what the rows call unknown may be somebody's data. */
export class DestructionHoldRepository {
  constructor(private readonly database: Database) {}

  /** Since when nothing is destroyed; null when nothing is held. */
  async since(): Promise<Date | null> {
    const [row] = await this.database.query<{ since: Date | null }>(SINCE);
    return row?.since ?? null;
  }

  /** False when nothing was held. */
  async end(): Promise<boolean> {
    return (await this.database.execute(END)) === 1;
  }

  async waiting(): Promise<HeldOperation[]> {
    return this.database.query<HeldOperation>(WAITING);
  }

  /** Lets them look again now; a step that is about to nap sees the signal. */
  async wake(ids: number[]): Promise<void> {
    await this.database.execute(WAKE, [ids]);
  }
}
