import { DEPLOYMENT_COLUMNS, LOG_STYLES, logText, NODE_COLUMNS, operationColumns, type Column } from './columns.js';
import type { Row, Run, Style } from './frame.js';
import { boxesOf, isTooSmall, type Box, type Size } from './layout.js';
import type { Pane, State } from './state.js';
import { columnsOf, cut, padded } from '../output/width.js';

const KEYS = ' q quit  ↑↓ choose  Tab pane  PgUp PgDn scroll  mouse: click and wheel';
/** The least width of the first column. */
const LEAST_NAME = 14;
const TIME = { from: 11, to: 19 };
/** Rows of a list above its lines: the title, and the names of the columns. */
const ABOVE: Readonly<Record<Pane, number>> = { deployments: 2, operations: 2, nodes: 2, logs: 1 };

/** The lines that a pane has place for. */
export const linesIn = ({ pane, rows }: Box): number => Math.max(rows - ABOVE[pane], 0);

/** The first line that a pane shows. */
export function firstLine(state: State, box: Box): number {
  const last = Math.max(state.linesOf(box.pane) - linesIn(box), 0);
  const scroll = Math.min(state.scroll[box.pane], last);
  // The newest line of the log is at the bottom.
  return box.pane === 'logs' ? last - scroll : scroll;
}

/** What is at a place of the screen. */
export function hit(state: State, size: Size, column: number, row: number): { pane: Pane; line: number | null } | null {
  const box = boxesOf(size, state.focus).find(
    (one) => column >= one.column && column < one.column + one.columns && row >= one.row && row < one.row + one.rows,
  );
  if (isTooSmall(size) || box === undefined) return null;
  const line = row - box.row - ABOVE[box.pane] + firstLine(state, box);
  const isLine = row - box.row >= ABOVE[box.pane] && line < state.linesOf(box.pane);
  return { pane: box.pane, line: isLine ? line : null };
}

/** The whole screen. */
export function rowsOf(state: State, size: Size, now: Date): Row[] {
  if (isTooSmall(size)) return [[{ column: 0, text: cut('The window is too small.', size.columns), style: 'bad' }]];
  const rows: Run[][] = Array.from({ length: size.rows }, () => []);
  rows[0]?.push(...header(state, size, now));
  for (const box of boxesOf(size, state.focus))
    for (const [at, runs] of paneOf(state, box).slice(0, box.rows).entries())
      rows[box.row + at]?.push(...runs.map((run) => ({ ...run, column: run.column + box.column })));
  rows[size.rows - 1]?.push({ column: 0, text: padded(KEYS, size.columns), style: 'bar' });
  return rows;
}

function header(state: State, { columns }: Size, now: Date): Run[] {
  const { deployments, problems, tenant } = state;
  const time = now.toISOString().slice(TIME.from, TIME.to);
  const problem = problems.deployments;
  if (problem !== undefined) return [{ column: 0, text: padded(` ${time}  ${problem}`, columns), style: 'bad' }];
  const working = deployments.filter(({ status }) => status === 'initialized').length;
  const text = ` landlord top  ${time}  ${tenant}: ${deployments.length} ${deployments.length === 1 ? 'deployment' : 'deployments'}, ${working} ready`;
  return [{ column: 0, text: padded(text, columns), style: 'bar' }];
}

const TITLES: Readonly<Record<Pane, (state: State) => string>> = {
  deployments: () => 'Deployments',
  operations: () => 'Operations',
  nodes: ({ selected }) => `Nodes of ${selected?.name ?? 'no deployment'}`,
  logs: ({ selected, scroll }) =>
    `Logs of ${selected?.name ?? 'no deployment'}${scroll.logs > 0 ? ` (${scroll.logs} newer below)` : ''}`,
};

/** The rows of a pane, from its title on. */
function paneOf(state: State, box: Box): Row[] {
  const isFocused = state.focus === box.pane;
  const title = cut(`${isFocused ? '▶' : '─'} ${TITLES[box.pane](state)} `, box.columns);
  const line = '─'.repeat(Math.max(box.columns - columnsOf(title), 0));
  const problem = box.pane === 'deployments' ? undefined : state.problems[box.pane];
  const said: Row[] = problem === undefined ? [] : [[{ column: 1, text: cut(problem, box.columns - 1), style: 'bad' }]];
  return [[{ column: 0, text: title + line, style: isFocused ? 'focused' : 'title' }], ...said, ...linesOf(state, box)];
}

function linesOf(state: State, box: Box): Row[] {
  const first = firstLine(state, box);
  const shown = <T>(items: readonly T[]): T[] => items.slice(first, first + linesIn(box));
  const names = new Map(state.deployments.map(({ id, name }) => [id, name]));
  if (box.pane === 'deployments')
    return table(DEPLOYMENT_COLUMNS, shown(state.deployments), box, state.selectedAt - first);
  if (box.pane === 'operations') return table(operationColumns(names), shown(state.operations), box);
  if (box.pane === 'nodes') return table(NODE_COLUMNS, shown(state.nodes), box);
  const nodes = new Map(state.nodes.length > 1 ? state.nodes.map(({ id, name }) => [id, name]) : []);
  return shown(state.logs).map((one) => [
    { column: 1, text: cut(logText(one, nodes.get(one.node_id)), box.columns - 1), style: LOG_STYLES[one.level] },
  ]);
}

/** The names of the columns, and a row for each item. Columns that have no place are left out. */
function table<T>(columns: readonly Column<T>[], items: readonly T[], box: Box, selected = -1): Row[] {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const fitting = [...others];
  const width = (): number => box.columns - 1 - fitting.reduce((sum, one) => sum + one.columns + 1, 0);
  while (fitting.length > 0 && width() < LEAST_NAME) fitting.pop();
  const all = [{ ...first, columns: width() }, ...fitting];
  const cells = (text: (one: Column<T>) => string, style: (one: Column<T>) => Style): Run[] => {
    let column = 1;
    return all.map((one) => {
      const run = { column, text: cut(text(one), one.columns), style: style(one) };
      column += one.columns + 1;
      return run;
    });
  };
  return [
    cells(
      (one) => one.title,
      () => 'dim',
    ),
    ...items.map((item, at) => {
      const isSelected = at === selected;
      const runs = cells(
        (one) => one.text(item),
        (one) => (isSelected ? 'selected' : (one.style?.(item) ?? 'plain')),
      );
      return isSelected ? [{ column: 0, text: ' '.repeat(box.columns), style: 'selected' as const }, ...runs] : runs;
    }),
  ];
}
