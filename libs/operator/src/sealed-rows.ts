import { statement, type Database, type SealedColumn, type Statement } from '@libs/persistence';

/** One ciphertext and its place. */
export interface SealedRow {
  /** Primary key, as text. */
  key: string[];
  /** The row that the ciphertext is bound to. */
  row: string;
  sealed: string;
}

/** The number of ciphertexts of a column per key. */
interface KeyUse {
  key_id: string;
  count: number;
}

const FIRST = { bigint: '0', text: '' } as const;

/** The ciphertexts of one column, for `rekey`. An empty text is not a ciphertext: its secret was deleted. */
export class SealedRows {
  private readonly uses: Statement;
  private readonly batch: Statement;
  private readonly replacement: Statement;

  constructor(
    private readonly database: Database,
    private readonly of: SealedColumn,
  ) {
    const { table, column, key, row } = of;
    const names = key.map(({ name }) => name);
    const values = (first: number): string => key.map(({ type }, index) => `$${first + index}::${type}`).join(', ');
    const condition = `${column} is not null and ${column} <> ''`;
    const name = (verb: string): string => `sealed.${verb}.${table}.${column}`;
    this.uses = statement(
      name('uses'),
      `select split_part(${column}, '.', 1) as key_id, count(*)::int as count from ${table} where ${condition} group by 1 order by 1`,
    );
    this.batch = statement(
      name('batch'),
      `select array[${names.map((part) => `${part}::text`).join(', ')}] as key, ${row} as row, ${column} as sealed from ${table}
        where ${condition} and not starts_with(${column}, $1 || '.') and (${names.join(', ')}) > (${values(3)})
        order by ${names.join(', ')} limit $2`,
    );
    this.replacement = statement(
      name('replace'),
      `update ${table} set ${column} = $2 where ${column} = $1 and (${names.join(', ')}) = (${values(3)})`,
    );
  }

  async keyUses(): Promise<KeyUse[]> {
    return this.database.query<KeyUse>(this.uses);
  }

  /** The next rows that a key other than `keyId` sealed, in the order of the primary key. Without `after` from the start. */
  async notUnder(keyId: string, limit: number, after?: readonly string[]): Promise<SealedRow[]> {
    const from = after ?? this.of.key.map(({ type }) => FIRST[type]);
    return this.database.query<SealedRow>(this.batch, [keyId, limit, ...from]);
  }

  /** Compare and set. Returns false when the row has another ciphertext by now, or none. */
  async replace(key: readonly string[], old: string, fresh: string): Promise<boolean> {
    return (await this.database.execute(this.replacement, [old, fresh, ...key])) === 1;
  }
}
