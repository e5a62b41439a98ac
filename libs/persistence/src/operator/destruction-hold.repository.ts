import { Injectable } from '@nestjs/common';
import type { OperationId } from '@libs/domain';
import { IsNull, Not } from 'typeorm';
import { statement, Database } from '../database.js';
import { WAITS_FOR } from './operation-commands.repository.js';
import type { Operation } from '../platform/entities/operation.entity.js';
import { Installation } from '../platform/entities/installation.entity.js';

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
const WAKE = statement(
  'hold.wake',
  `update operations set wake_at = now(), signal_seq = signal_seq + 1 where id = any($1) and status in ('pending', 'running')`,
);

/**
 * The hold on destruction after a restore of the database. A resource that the restored rows do not list may contain customer
 * data.
 */
@Injectable()
export class DestructionHoldRepository {
  constructor(private readonly database: Database) {}

  /** When the hold started. Null when there is no hold. */
  async since(): Promise<Date | null> {
    const [installation] = await this.database.repository(Installation).find();
    return installation?.destruction_held_since ?? null;
  }

  /** Returns false when there was no hold. */
  async end(): Promise<boolean> {
    const held = { destruction_held_since: Not(IsNull()) };
    const { affected } = await this.database.repository(Installation).update(held, { destruction_held_since: null });
    return affected === 1;
  }

  async waiting(): Promise<HeldOperation[]> {
    return this.database.query<HeldOperation>(WAITING);
  }

  /** Wakes the operations. The signal also reaches a step that is just about to nap. */
  async wake(ids: OperationId[]): Promise<void> {
    await this.database.execute(WAKE, [ids]);
  }
}
