import { PANES, type Pane } from './state.js';

export interface Size {
  columns: number;
  rows: number;
}

/** A part of the screen. The first row has the title. */
export interface Box extends Size {
  pane: Pane;
  column: number;
  row: number;
}

/** From this width on, the panes of one deployment are beside the lists. */
const WIDE = 120;
/** The height that all four panes need. */
const LOW = 14;
const LEAST: Size = { columns: 20, rows: 5 };
const GAP = 2;
/** The header is above, and the keys are below. */
const AROUND = 2;

/** How the panes share the height, one below the other. The last one takes the rest. */
const SHARES: Readonly<Record<Pane, number>> = { deployments: 0.32, operations: 0.22, nodes: 0.2, logs: 1 };
const WIDE_SHARES: Readonly<Record<Pane, number>> = { deployments: 0.6, operations: 1, nodes: 0.4, logs: 1 };

export const isTooSmall = ({ columns, rows }: Size): boolean => columns < LEAST.columns || rows < LEAST.rows;

/** The places of the panes. A low window has only the one that keys are for. */
export function boxesOf({ columns, rows }: Size, focus: Pane): Box[] {
  const height = rows - AROUND;
  if (height < LOW) return stacked([focus], SHARES, { column: 0, columns, rows: height });
  if (columns < WIDE) return stacked(PANES, SHARES, { column: 0, columns, rows: height });
  const left = Math.floor((columns - GAP) / 2);
  const right = { column: left + GAP, columns: columns - left - GAP, rows: height };
  return [
    ...stacked(['deployments', 'operations'], WIDE_SHARES, { column: 0, columns: left, rows: height }),
    ...stacked(['nodes', 'logs'], WIDE_SHARES, right),
  ];
}

function stacked(
  panes: readonly Pane[],
  shares: Readonly<Record<Pane, number>>,
  { column, columns, rows }: Size & { column: number },
): Box[] {
  let row = 1;
  return panes.map((pane, at) => {
    const rest = rows + 1 - row;
    const own = at === panes.length - 1 ? rest : Math.floor(rows * shares[pane]);
    const box = { pane, column, row, columns, rows: own };
    row += own;
    return box;
  });
}
