import type { ReactNode } from 'react';
import styles from './table.module.css';
import { Wide } from './wide.js';

interface TableFrameProps {
  label: string;
  titles: readonly string[];
  /** The rows. */
  children: ReactNode;
}

/** A table with the titles of its columns, for rows that are more than their cells. */
export const TableFrame = ({ label, titles, children }: TableFrameProps) => (
  <Wide label={label}>
    <table className={styles['table']}>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Wide>
);

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}

/** Rows with the same columns. */
export const Table = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => (
  <TableFrame label={label} titles={columns.map(({ title }) => title)}>
    {rows.map((row) => (
      <tr key={keyOf(row)}>
        {columns.map(({ title, cell }) => (
          <td key={title}>{cell(row)}</td>
        ))}
      </tr>
    ))}
  </TableFrame>
);
