import type { ReactNode } from 'react';
import styles from './table.module.css';
import { Wide } from './wide.js';

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
  <Wide label={label}>
    <table className={styles['table']}>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell }) => (
              <td key={title}>{cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Wide>
);
