import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';

/** One Supervisor process, as it announces itself. */
export interface CellProcess {
  /** New for each start of the process. */
  id: string;
  cell: string;
  hasGateway: boolean;
  version: string;
}

/** A process announces itself every ten seconds. One that has missed three announcements is dead: it answers nobody. */
const IS_LIVING = `seen_at > now() - interval '30 seconds'`;

const ANNOUNCE = statement(
  'cell_process.announce',
  `insert into cell_processes (id, cell, has_gateway, version) values ($1, $2, $3, $4)
   on conflict (id) do update set seen_at = now()`,
);
const LEAVE = statement('cell_process.leave', 'delete from cell_processes where id = $1');
// The processes of a stopping installation leave at once. The lock lets each of them see which others are still there. A process
// that only seemed dead announces itself again, which takes the cell back into service.
const LOCK_CELL = statement('cell.lock', 'select 1 from cells where cell = $1 for update');
const SIGN_OFF = statement(
  'cell.sign_off',
  `update cells c set signed_off_at = clock_timestamp() where c.cell = $1 and not exists (
     select 1 from cell_processes p where p.cell = c.cell and p.${IS_LIVING})`,
);
const FORGET = statement(
  'cell_process.forget',
  `delete from cell_processes where cell = $1 and seen_at < now() - interval '1 hour'`,
);
const HAS_LISTENED = statement(
  'cell_process.has_listened',
  `select exists (
     select 1 from cell_processes
      where cell = $1 and has_gateway and started_at <= now() - make_interval(secs => $2) and ${IS_LIVING}
   ) as has_listened`,
);

/** The processes of each cell and their start times. */
@Injectable()
export class CellProcessesRepository {
  constructor(private readonly database: Database) {}

  /** Announces the process. Deletes processes that stopped without notice an hour ago. */
  async announce({ id, cell, hasGateway, version }: CellProcess): Promise<void> {
    await this.database.execute(ANNOUNCE, [id, cell, hasGateway, version]);
    await this.database.execute(FORGET, [cell]);
  }

  /** The process stops in order. The last living process signs its cell off, which gets no more orders from then on. */
  async leave({ id, cell }: Pick<CellProcess, 'id' | 'cell'>): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.query(LOCK_CELL, [cell]);
      await this.database.execute(LEAVE, [id]);
      await this.database.execute(SIGN_OFF, [cell]);
    });
  }

  /** Whether a gateway of the cell has been up for at least `seconds`. In that time a live agent would have reported. */
  async hasListened(cell: string, seconds: number): Promise<boolean> {
    const [row] = await this.database.query<{ has_listened: boolean }>(HAS_LISTENED, [cell, seconds]);
    return row?.has_listened ?? false;
  }
}
