import { statement, type Database } from '../database.js';

/** What somebody asks a channel to send by hand. */
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

/** How often a channel, which was read under its owner and is held, may be used by hand. */
export class ChannelPaceRepository {
  constructor(private readonly database: Database) {}

  /** Notes the use; answers how many seconds must pass before the next one, 0 when this one is allowed. */
  async take(id: number, use: PacedUse, pauseSeconds: number): Promise<number> {
    if ((await this.database.execute(TAKE[use], [id, pauseSeconds])) === 1) return 0;
    const [row] = await this.database.query<{ seconds: number }>(SINCE[use], [id]);
    return Math.max(1, Math.ceil(pauseSeconds - (row?.seconds ?? 0)));
  }
}
