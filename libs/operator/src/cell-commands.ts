import { PlacementCommandsRepository, type CellRow } from '@libs/persistence/operator';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** Cells that accept new deployments. */
export class CellCommands {
  private readonly rows: PlacementCommandsRepository;

  constructor(private readonly session: OperatorSession) {
    this.rows = new PlacementCommandsRepository(session.database);
  }

  list(): Promise<CellRow[]> {
    return this.rows.cells();
  }

  /** Stops new deployments in the cell. Existing ones continue. @throws OperatorRefused */
  drain(cell: string): Promise<CellRow> {
    return this.change(cell, 'drain', () => this.rows.drainCell(cell), 'is already drained');
  }

  /** Allows new deployments again. @throws OperatorRefused */
  resume(cell: string): Promise<CellRow> {
    return this.change(cell, 'resume', () => this.rows.resumeCell(cell), 'is not drained');
  }

  /** Removes a cell whose Supervisor is gone for good, and that has nothing. @throws OperatorRefused */
  async forget(cell: string): Promise<CellRow> {
    return this.session.database.transaction(async () => {
      const row = await this.require(cell);
      if (row.deployments > 0) throw new OperatorRefused(`Cell ${cell} has ${row.deployments} deployments.`);
      if (row.machines > 0) throw new OperatorRefused(`Cell ${cell} has ${row.machines} machines.`);
      if (row.is_alive || !(await this.rows.forgetCell(cell)))
        throw new OperatorRefused(`Cell ${cell} is alive. Stop its Supervisors first.`);
      await this.session.journal.record({ verb: 'cells forget', subject: `cell ${cell}` });
      return row;
    });
  }

  private async require(cell: string): Promise<CellRow> {
    const row = (await this.rows.cells()).find((one) => one.cell === cell);
    if (!row) throw new OperatorRefused(`There is no cell ${cell}. List all cells: landlord ops cells list`);
    return row;
  }

  private async change(
    cell: string,
    verb: string,
    change: () => Promise<boolean>,
    otherwise: string,
  ): Promise<CellRow> {
    return this.session.database.transaction(async () => {
      const isChanged = await change();
      const row = await this.require(cell);
      if (!isChanged) throw new OperatorRefused(`Cell ${cell} ${otherwise}.`);
      await this.session.journal.record({ verb: `cells ${verb}`, subject: `cell ${cell}` });
      return row;
    });
  }
}
