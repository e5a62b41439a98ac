import { Injectable } from '@nestjs/common';
import type { OperationId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { OperationEvent } from './entities/operation-event.entity.js';

/** One event of an operation. `seq` grows by one within the operation. */
export type OperationEventRow = Pick<
  OperationEvent,
  'operation_id' | 'seq' | 'at' | 'event' | 'step' | 'status' | 'attempt' | 'detail'
>;

/** The last event that a reader of the stream has seen. */
export interface StreamPosition {
  operationId: OperationId;
  seq: number;
}

const KEPT_DAYS = 30;
/** The next poll reads further events. */
const BATCH = 200;

const AFTER = statement(
  'operation_event.after',
  `select e.operation_id, e.seq, e.at, e.event, e.step, e.status, e.attempt, e.detail
     from unnest($1::bigint[], $2::bigint[]) as position (operation_id, seq)
    cross join lateral (
      select * from operation_events e where e.operation_id = position.operation_id and e.seq > position.seq
       order by e.seq limit ${BATCH}) e
    order by e.operation_id, e.seq`,
);
const FORGET = statement(
  'operation_event.forget',
  `delete from operation_events where ctid = any(array(
     select ctid from operation_events where at < now() - interval '${KEPT_DAYS} days' limit 1000))`,
);

/** Event streams of operations, stored for 30 days. */
@Injectable()
export class OperationEventsRepository {
  constructor(private readonly database: Database) {}

  /** Events after each position, oldest first, for all positions in one statement. */
  async after(positions: readonly StreamPosition[]): Promise<OperationEventRow[]> {
    const ids = positions.map(({ operationId }) => operationId);
    return this.database.query<OperationEventRow>(AFTER, [ids, positions.map(({ seq }) => seq)]);
  }

  /** Deletes up to a thousand expired events. */
  async forget(): Promise<number> {
    return this.database.execute(FORGET);
  }
}
