import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database.js';

// `full_at`: when the bucket would be full again. A call moves it by one interval. While it is less than `burst` intervals away,
// the call need not wait.
const TAKE = statement(
  'cloud_call_slots.take',
  `insert into cloud_call_slots as s (bucket, full_at) values ($1, now() + $2 * interval '1 millisecond')
   on conflict (bucket) do update set full_at = greatest(s.full_at, now()) + $2 * interval '1 millisecond'
      where greatest(s.full_at, now()) + ($2 - $2 * $3) * interval '1 millisecond' <= now() + $4 * interval '1 millisecond'
   returning greatest(0, extract(epoch from s.full_at - now()) * 1000 - $2 * $3)::int as wait_ms`,
);

/** The calls of all processes to a cloud, as buckets with a rate. */
@Injectable()
export class CloudCallSlotsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the next slot of the bucket. Returns the milliseconds until the slot, or null when that is more than `mostMs`; then no
   * slot is taken.
   */
  async take(
    bucket: string,
    { perSecond, burst }: { perSecond: number; burst: number },
    mostMs: number,
  ): Promise<number | null> {
    const [slot] = await this.database.query<{ wait_ms: number }>(TAKE, [bucket, 1000 / perSecond, burst, mostMs]);
    return slot ? slot.wait_ms : null;
  }
}
