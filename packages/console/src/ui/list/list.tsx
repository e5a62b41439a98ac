import { ReadProblem, type Read } from '../read-problem.js';
import { Pages } from './pages.js';
import { Table, type Column } from './table.js';

interface Page<Row> {
  items: readonly Row[];
  page: number;
  total_pages: number;
}

interface ListProps<Row> {
  label: string;
  query: Read<Page<Row> | readonly Row[]>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string | number;
  /** The text when there is nothing. */
  empty: string;
}

/** A list of the API with its pages. What is known stays when a later read fails. */
export function List<Row>({ label, query, columns, keyOf, empty }: ListProps<Row>) {
  const { data, isLoading } = query;
  const rows: readonly Row[] | undefined = data && 'items' in data ? data.items : data;
  return (
    <>
      <ReadProblem of={query} />
      {isLoading && <p role="status">Loading …</p>}
      {rows?.length === 0 && <p>{empty}</p>}
      {rows && rows.length > 0 && <Table label={label} columns={columns} rows={rows} keyOf={keyOf} />}
      {data && 'items' in data && <Pages page={data.page} total_pages={data.total_pages} />}
    </>
  );
}
