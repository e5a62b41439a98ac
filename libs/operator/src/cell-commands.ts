import { statement } from '@libs/persistence';
import { Cell, CellProcess, IS_ALIVE } from '@libs/persistence/operator';
import { IsNull, Not } from 'typeorm';
import { existing, OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** A cell as operator commands show it. */
export interface CellRow extends Pick<Cell, 'cell' | 'regions' | 'url' | 'version' | 'drained_at'> {
  broker: string;
  deployments: number;
  /** Machines that have not left it. */
  machines: number;
  seen_seconds_ago: number;
  /** Whether one of its processes has reported within a minute, and the last one has not stopped since. */
  is_alive: boolean;
}

const CELLS = statement(
  'operator.cells',
  `select c.cell, c.regions, c.url, c.version, c.drained_at,
          coalesce((select string_agg(b.key || ' ' || (b.value ->> 'version'), ', ' order by b.key)
                      from jsonb_each(c.brokers) b where b.value -> 'clusters' <> '[]'),
                   c.broker_driver || ' ' || c.broker_version) as broker,
          extract(epoch from now() - c.seen_at)::float8 as seen_seconds_ago,
          ${IS_ALIVE} as is_alive,
          (select count(*)::int from deployment_runtimes r where r.cell = c.cell and r.deleted_at is null) as deployments,
          (select count(*)::int from machines m where m.cell = c.cell and m.status <> 'removed') as machines
     from cells c order by c.cell`,
);
// The conditions again: a Supervisor may start while the operator reads the list.
const FORGET_CELL = statement(
  'operator.forget_cell',
  `delete from cells c where c.cell = $1 and not ${IS_ALIVE}
      and not exists (select 1 from deployment_runtimes r where r.cell = c.cell and r.deleted_at is null)
      and not exists (select 1 from machines m where m.cell = c.cell and m.status <> 'removed')`,
);
/** Cells that accept new deployments. */
export class CellCommands {
  constructor(private readonly session: OperatorSession) {}

  list(): Promise<CellRow[]> {
    return this.session.database.query<CellRow>(CELLS);
  }

  /** Stops new deployments in the cell. Existing ones continue. @throws OperatorRefused */
  drain(cell: string): Promise<CellRow> {
    return this.change(cell, true);
  }

  /** Allows new deployments again. @throws OperatorRefused */
  resume(cell: string): Promise<CellRow> {
    return this.change(cell, false);
  }

  /** Removes a cell whose Supervisor is gone for good, and that has nothing. @throws OperatorRefused */
  async forget(cell: string): Promise<CellRow> {
    return this.session.database.transaction(async () => {
      const row = await this.get(cell);
      if (row.deployments > 0) throw new OperatorRefused(`Cell ${cell} has ${row.deployments} deployments.`);
      if (row.machines > 0) throw new OperatorRefused(`Cell ${cell} has ${row.machines} machines.`);
      if (row.is_alive || (await this.session.database.execute(FORGET_CELL, [cell])) === 0)
        throw new OperatorRefused(`Cell ${cell} is alive. Stop its Supervisors first.`);
      await this.deleteProcesses(cell);
      await this.session.journal.record({ verb: 'cells forget', subject: `cell ${cell}` });
      return row;
    });
  }

  private async get(cell: string): Promise<CellRow> {
    const row = (await this.list()).find((one) => one.cell === cell);
    return existing(row, 'cell', cell, 'landlord ops cells list');
  }

  private async change(cell: string, isDrained: boolean): Promise<CellRow> {
    return this.session.database.transaction(async () => {
      const isChanged = await this.storeDrain(cell, isDrained);
      const row = await this.get(cell);
      if (!isChanged) throw new OperatorRefused(`Cell ${cell} is ${isDrained ? 'already' : 'not'} drained.`);
      await this.session.journal.record({ verb: `cells ${isDrained ? 'drain' : 'resume'}`, subject: `cell ${cell}` });
      return row;
    });
  }

  /** Returns false when the cell is unknown, or already as it should be. */
  private async storeDrain(cell: string, isDrained: boolean): Promise<boolean> {
    const before = { cell, drained_at: isDrained ? IsNull() : Not(IsNull()) };
    const changes = { drained_at: isDrained ? () => 'now()' : null };
    const { affected } = await this.session.database.repository(Cell).update(before, changes);
    return affected === 1;
  }

  private async deleteProcesses(cell: string): Promise<void> {
    await this.session.database.repository(CellProcess).delete({ cell });
  }
}
