import { Injectable } from '@nestjs/common';
import type { ChannelId } from '@libs/domain';
import { statement, Database } from '../database.js';

/** The kinds of sending that a user can trigger manually. */
export type PacedUse = 'test' | 'redelivery';

const COLUMNS: Record<PacedUse, string> = { test: 'tested_at', redelivery: 'redelivered_at' };
const take = (use: PacedUse) =>
  statement(
    `channel.take_${use}`,
    `update notification_channels set ${COLUMNS[use]} = now()
      where id = $1 and (${COLUMNS[use]} is null or ${COLUMNS[use]} <= now() - make_interval(secs => $2))`,
  );
const since = (use: PacedUse) =>
  statement(
    `channel.since_${use}`,
    `select extract(epoch from now() - ${COLUMNS[use]})::float8 as seconds from notification_channels where id = $1`,
  );
const TAKE = { test: take('test'), redelivery: take('redelivery') };
const SINCE = { test: since('test'), redelivery: since('redelivery') };

/** Limits manual use of a channel. The caller has read the channel under its owner and has locked it. */
@Injectable()
export class ChannelPaceRepository {
  constructor(private readonly database: Database) {}

  /** Records the use. Returns the seconds until the next use is allowed, or 0 when this use is allowed. */
  async takeUnscoped(id: ChannelId, use: PacedUse, pauseSeconds: number): Promise<number> {
    if ((await this.database.execute(TAKE[use], [id, pauseSeconds])) === 1) return 0;
    const [row] = await this.database.query<{ seconds: number | null }>(SINCE[use], [id]);
    return Math.max(1, Math.ceil(pauseSeconds - (row?.seconds ?? 0)));
  }
}
