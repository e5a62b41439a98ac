import type { ReactNode } from 'react';
import styles from './table.module.css';
import { Wide } from './wide.js';

interface TableFrameProps {
  label: string;
  titles: readonly string[];
  /** Whether the table stands in a column of a form, where its few cells fit. */
  isSmall?: boolean;
  /** The rows. */
  children: ReactNode;
}

/** A table with the titles of its columns, for rows that are more than their cells. */
export const TableFrame = ({ label, titles, isSmall = false, children }: TableFrameProps) => (
  <Wide label={label}>
    <table className={isSmall ? undefined : styles['table']}>
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
  isSmall?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}

/** Rows with the same columns. */
export const Table = <Row,>({ label, isSmall = false, columns, rows, keyOf }: TableProps<Row>) => (
  <TableFrame label={label} isSmall={isSmall} titles={columns.map(({ title }) => title)}>
    {rows.map((row) => (
      <tr key={keyOf(row)}>
        {columns.map(({ title, cell }) => (
          <td key={title}>{cell(row)}</td>
        ))}
      </tr>
    ))}
  </TableFrame>
);
