import { written, type Measure } from '../../../chart/measures.js';
import { summaryOf, type Lines } from '../../../chart/series.js';
import { Wide } from '../../../ui/list/wide.js';
import styles from './metrics.module.css';
import { RANGE_NAMES, type Range } from './search.js';

export interface Measured {
  measure: Measure;
  lines: Lines;
}

interface MetricsTableProps {
  measured: readonly Measured[];
  nodes: readonly { id: number; name: string }[];
  range: Range;
}

const COLUMNS = ['Measure', 'Node', 'Minimum', 'Maximum', 'Last'];

/** The numbers of the charts. */
export const MetricsTable = ({ measured, nodes, range }: MetricsTableProps) => (
  <Wide label="Numbers">
    <table>
      <caption className={styles['caption']}>Numbers within {RANGE_NAMES[range]}</caption>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {measured.flatMap(({ measure, lines }) =>
          nodes.map(({ id, name }, at) => (
            <Row key={`${measure.name} ${id}`} measure={measure} node={name} values={lines.values[at] ?? []} />
          )),
        )}
      </tbody>
    </table>
  </Wide>
);

interface RowProps {
  measure: Measure;
  node: string;
  values: Lines['values'][number];
}

function Row({ measure: { name, unit }, node, values }: RowProps) {
  const summary = summaryOf(values);
  const cell = (value: number | undefined): string => (value === undefined ? 'none' : written(value, unit));
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{node}</td>
      <td>{cell(summary?.min)}</td>
      <td>{cell(summary?.max)}</td>
      <td>{cell(summary?.last)}</td>
    </tr>
  );
}
