import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';

/** The number of requests of a subject in the window, and the time until it changes. */
export interface RateTotal {
  subject: string;
  /** Requests to all processes, including those that this call added. */
  total: number;
  /** Seconds until the oldest requests leave the window. */
  reset_seconds: number;
}

/** A window of whole slots. A slot that only partly overlaps the window counts fully, so the total is never too low. */
export interface RateWindow {
  seconds: number;
  slotSeconds: number;
}

/** The window of the rate limit: one minute, sliding. */
export const RATE_WINDOW: RateWindow = { seconds: 60, slotSeconds: 5 };

// One round trip for all subjects. The counts of the other slots come from the snapshot. The count of the current slot comes
// from the upsert, which sees what other processes have just committed. A fixed order prevents deadlocks.
const EXCHANGE = statement(
  'rate_counts.exchange',
  `with clock as (
     select extract(epoch from clock_timestamp()) as at, floor(extract(epoch from clock_timestamp()) / $3)::bigint as slot
   ), asked as (
     select subject, count from unnest($1::text[], $2::int[]) as t (subject, count) order by subject
   ), mine as (
     insert into rate_counts (subject, slot, count)
     select subject, slot, count from asked, clock where count > 0 order by subject
     on conflict (subject, slot) do update set count = rate_counts.count + excluded.count
     returning subject, slot, count
   )
   select asked.subject,
          (coalesce(sum(kept.count), 0) + coalesce(max(mine.count), 0))::int as total,
          greatest(0, (least(min(kept.slot), max(mine.slot)) + $4 + 1) * $3 - max(clock.at))::float8 as reset_seconds
     from asked cross join clock
     left join mine on mine.subject = asked.subject
     left join rate_counts kept
       on kept.subject = asked.subject and kept.slot >= clock.slot - $4 and kept.slot is distinct from mine.slot
    group by asked.subject`,
);
const FORGET = statement(
  'rate_counts.forget',
  `delete from rate_counts where slot < floor(extract(epoch from now()) / $1) - $2`,
);

/**
 * Recent requests per caller over all processes. The table is unlogged: after a crash of the database the counts start at zero.
 */
@Injectable()
export class RateCountsRepository {
  constructor(private readonly database: Database) {}

  /** Adds the counts and returns the totals of all subjects, in one statement. */
  async exchange(counts: ReadonlyMap<string, number>, window: RateWindow): Promise<RateTotal[]> {
    const values = [[...counts.keys()], [...counts.values()], window.slotSeconds, slotsOf(window)];
    return this.database.query<RateTotal>(EXCHANGE, values);
  }

  /** Deletes slots that are outside every window of this size. */
  async forget(window: RateWindow): Promise<void> {
    await this.database.execute(FORGET, [window.slotSeconds, slotsOf(window)]);
  }
}

const slotsOf = ({ seconds, slotSeconds }: RateWindow): number => Math.ceil(seconds / slotSeconds);
