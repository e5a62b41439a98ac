import { SEALED_COLUMNS, type SealedColumn, type SecretLocation } from '@libs/persistence';
import type { OperatorSession } from './operator-session.js';
import { SealedRows, type SealedRow } from './sealed-rows.js';

/** The result for one column. */
export interface RekeyedColumn {
  table: string;
  column: string;
  /** Number of ciphertexts that this run sealed again. */
  rekeyed: number;
  /** Rows that do not open, by the row that they are bound to. */
  unreadable: string[];
  /** Number of ciphertexts per key, after the run. */
  keys: Record<string, number>;
}

type Progress = (column: SealedColumn, rekeyed: number) => void | Promise<void>;

const BATCH = 500;
const PASSES = 5;

/**
 * Seals every stored secret with the first key. After an interruption a new run continues, because it skips ciphertexts of the
 * first key. Safe while apps are running that also have the first key, because each row is compared and set.
 */
export class Rekeying {
  constructor(private readonly session: OperatorSession) {}

  /** The id of the key for all ciphertexts. */
  get keyId(): string {
    return this.session.secrets.writerId;
  }

  /** Calls `progress` for each batch. Returns a result per column. Rows that do not open stay unchanged and are listed. */
  async run(progress: Progress): Promise<RekeyedColumn[]> {
    const columns: RekeyedColumn[] = [];
    for (const column of SEALED_COLUMNS) columns.push(await this.rekey(column, progress));
    const { database, journal } = this.session;
    const counts = columns.map(({ table, column, rekeyed }) => [`${table}.${column}`, rekeyed]);
    await database.transaction(() =>
      journal.record({ verb: 'rekey', subject: `key ${this.keyId}`, detail: Object.fromEntries(counts) as object }),
    );
    return columns;
  }

  /** Number of current ciphertexts per key. */
  async keysInUse(): Promise<Map<string, number>> {
    const uses = new Map<string, number>();
    for (const column of SEALED_COLUMNS)
      for (const { key_id, count } of await this.rowsOf(column).keyUses())
        uses.set(key_id, (uses.get(key_id) ?? 0) + count);
    return uses;
  }

  private async rekey(column: SealedColumn, progress: Progress): Promise<RekeyedColumn> {
    const rows = this.rowsOf(column);
    const { table, column: name } = column;
    const result: RekeyedColumn = { table, column: name, rekeyed: 0, unreadable: [], keys: {} };
    // The next pass finds ciphertexts that an app wrote with an old key during this pass.
    for (let pass = 0; pass < PASSES; pass += 1) {
      result.unreadable = [];
      await this.pass(column, result, progress);
      result.keys = Object.fromEntries((await rows.keyUses()).map(({ key_id, count }) => [key_id, count]));
      if (remaining(result, this.keyId) <= result.unreadable.length) break;
    }
    return result;
  }

  private async pass(column: SealedColumn, result: RekeyedColumn, progress: Progress): Promise<void> {
    const rows = this.rowsOf(column);
    let after: readonly string[] | undefined;
    for (;;) {
      const batch = await rows.notUnder(this.keyId, BATCH, after);
      for (const row of batch) await this.renew(column, row, result);
      after = batch.at(-1)?.key;
      if (!after) return;
      await progress(column, result.rekeyed);
    }
  }

  private async renew(column: SealedColumn, { key, row, sealed }: SealedRow, result: RekeyedColumn): Promise<void> {
    const { secrets } = this.session;
    const location = { table: column.table, column: column.column, row } as SecretLocation;
    const plain = openOrNull(() => secrets.open(location, sealed));
    if (plain === null) result.unreadable.push(row);
    else if (await this.rowsOf(column).replace(key, sealed, secrets.seal(location, plain))) result.rekeyed += 1;
  }

  private rowsOf(column: SealedColumn): SealedRows {
    return new SealedRows(this.session.database, column);
  }
}

/** A ciphertext that does not open must not stop the others. */
function openOrNull(open: () => string): string | null {
  try {
    return open();
  } catch {
    return null;
  }
}

const remaining = ({ keys }: RekeyedColumn, keyId: string): number =>
  Object.entries(keys).reduce((sum, [id, count]) => sum + (id === keyId ? 0 : count), 0);
