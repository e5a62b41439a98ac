import { Table, type Column } from '../../ui/list/table.js';
import { ReadProblem, type Read } from './read-problem.js';

interface LiveListProps<Row> {
  label: string;
  /** The read of the list. */
  list: Omit<Read<unknown>, 'data'>;
  /** Undefined: the list has not come yet. */
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string | number;
  /** What an empty list means. */
  empty: string;
}

/** A list that is read again and again. It stays on the screen when a read fails, with the reason. */
export const LiveList = <Row,>({ label, list, rows, columns, keyOf, empty }: LiveListProps<Row>) => (
  <>
    <ReadProblem of={list} />
    {rows?.length === 0 && <p>{empty}</p>}
    {rows && rows.length > 0 && <Table label={label} columns={columns} rows={rows} keyOf={keyOf} />}
  </>
);
