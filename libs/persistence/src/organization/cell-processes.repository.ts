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

const ANNOUNCE = statement(
  'cell_process.announce',
  `insert into cell_processes (id, cell, has_gateway, version) values ($1, $2, $3, $4)
   on conflict (id) do update set seen_at = now()`,
);
const LEAVE = statement('cell_process.leave', 'delete from cell_processes where id = $1');
const FORGET = statement(
  'cell_process.forget',
  `delete from cell_processes where cell = $1 and seen_at < now() - interval '1 hour'`,
);
const HAS_LISTENED = statement(
  'cell_process.has_listened',
  `select exists (
     select 1 from cell_processes
      where cell = $1 and has_gateway and started_at <= now() - make_interval(secs => $2) and seen_at > now() - interval '30 seconds'
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

  async leave(id: string): Promise<void> {
    await this.database.execute(LEAVE, [id]);
  }

  /** Whether a gateway of the cell has been up for at least `seconds`. In that time a live agent would have reported. */
  async hasListened(cell: string, seconds: number): Promise<boolean> {
    const [row] = await this.database.query<{ has_listened: boolean }>(HAS_LISTENED, [cell, seconds]);
    return row?.has_listened ?? false;
  }
}
