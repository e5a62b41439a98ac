import { FrameWriter } from './frame.js';
import { act } from './keys.js';
import { boxesOf, type Size } from './layout.js';
import { PANES, State } from './state.js';
import { columnsOf } from '../output/width.js';
import { hit, rowsOf } from './view.js';

const NOW = new Date('2026-11-26T12:00:00Z');
const HOSTILE = '\u001b[2J\u001b]0;owned\u0007注文\u202E';

function stateWith(count: number): State {
  const state = new State('Tenant');
  state.takeDeployments(
    Array.from({ length: count }, (_one, at) => ({
      ...{ id: at + 1, name: `${HOSTILE} ${at + 1}`, status: 'initialized', tier: 'small', nodes_count: 3 },
      ...{ region: 'us-east-1', status_reason: HOSTILE },
    })) as never,
  );
  state.logs = Array.from({ length: 100 }, (_one, at) => ({
    ...{
      id: at,
      node_id: 1,
      at: NOW.toISOString(),
      runtime: 'broker',
      level: 'info',
      message: `line ${at} ${HOSTILE}`,
    },
  })) as never;
  state.nodes = [{ id: 1, name: HOSTILE, status: 'running', reason: null, cpuPercent: 7, history: [1, 2, 3] }];
  return state;
}

const SIZES: Size[] = [80, 24, 200, 60, 120, 16, 40, 10, 20, 5, 19, 4, 1, 1].flatMap((columns, at, all) =>
  at % 2 === 0 ? [{ columns, rows: all[at + 1] ?? 0 }] : [],
);

describe('The screen', () => {
  it('fits windows of all sizes, and has no escape sequence of a name or a log line', () => {
    for (const size of SIZES)
      for (const focus of PANES) {
        const state = Object.assign(stateWith(30), { focus });
        const rows = rowsOf(state, size, NOW);
        expect(rows.length).toBeLessThanOrEqual(size.rows);
        for (const { column, text } of rows.flat()) {
          expect(column + columnsOf(text) <= size.columns ? null : { size, text }).toBeNull();
          expect(text).not.toMatch(/\p{Cc}|\u202E/u);
        }
      }
  });

  it('counts one deployment in the singular', () => {
    const headOf = (count: number): string =>
      rowsOf(stateWith(count), { columns: 80, rows: 24 }, NOW)[0]?.[0]?.text ?? '';

    expect(headOf(1)).toContain('Tenant: 1 deployment, 1 ready');
    expect(headOf(2)).toContain('Tenant: 2 deployments, 2 ready');
  });

  it('gives every row of the window to one pane', () => {
    for (const size of SIZES.slice(0, 5)) {
      const boxes = boxesOf(size, 'logs');
      const area = boxes.reduce((sum, box) => sum + box.rows * box.columns, 0);
      const gap = size.columns >= 120 && boxes.length > 1 ? 2 * (size.rows - 2) : 0;
      expect(area + gap).toBe(size.columns * (size.rows - 2));
    }
  });

  it('names the node of a log line if there are several', () => {
    const [state, size] = [stateWith(1), { columns: 80, rows: 24 }];
    const lastLine = (): string => rowsOf(state, size, NOW).at(-2)?.at(-1)?.text ?? '';
    expect(lastLine()).toMatch(/^12:00:00 info {2}broker {5}line 99/);

    const [node] = state.nodes;
    state.nodes = [1, 2].map((id) => ({ ...node, id, name: `node-${id}` })) as never;
    expect(lastLine()).toMatch(/^12:00:00 info {2}node-1 broker {5}line 99/);
  });

  it('writes only the rows that have changed', () => {
    const [writer, state, size] = [new FrameWriter(true), stateWith(3), { columns: 80, rows: 24 }];
    expect(writer.changes(rowsOf(state, size, NOW))).toContain('\u001b[24;1H');
    expect(writer.changes(rowsOf(state, size, NOW))).toBe('');

    const changed = writer.changes(rowsOf(state, size, new Date(NOW.getTime() + 1_000)));
    // eslint-disable-next-line no-control-regex
    expect(changed.match(/\u001b\[\d+;1H/g)).toEqual(['\u001b[1;1H']);
    writer.reset();
    expect(writer.changes(rowsOf(state, size, NOW))).toContain('\u001b[24;1H');
  });
});

describe('Keys and the mouse', () => {
  const size = { columns: 80, rows: 24 };
  const press = (state: State, ...keys: string[]): void =>
    keys.forEach((key) => act(state, size, { kind: 'key', key: key as never }));

  it('choose a deployment, which stays in the window', () => {
    const state = stateWith(30);
    const isShown = (): boolean =>
      rowsOf(state, size, NOW).some((row) => row.some(({ style, text }) => style === 'selected' && text.trim() !== ''));
    press(state, 'down', 'down');
    expect([state.selectedId, isShown()]).toEqual([3, true]);
    press(state, 'end');
    expect([state.selectedId, isShown()]).toEqual([30, true]);
    press(state, 'down', 'pageUp');
    expect([state.selectedId, isShown()]).toEqual([26, true]);
    press(state, 'home', 'up');
    expect([state.selectedId, isShown()]).toEqual([1, true]);
  });

  it('act at the place of the mouse', () => {
    const state = stateWith(30);
    const [deployments, , , logs] = boxesOf(size, state.focus);
    act(state, size, { kind: 'click', column: 5, row: (deployments?.row ?? 0) + 2 + 3 });
    expect(state.selectedId).toBe(4);
    expect(state.logs).toEqual([]);

    const lines = stateWith(1);
    act(lines, size, { kind: 'wheelUp', column: 5, row: (logs?.row ?? 0) + 2 });
    expect([lines.scroll.logs, lines.focus]).toEqual([3, 'deployments']);
    act(lines, size, { kind: 'click', column: 5, row: logs?.row ?? 0 });
    expect(lines.focus).toBe('logs');
    press(lines, 'home', 'pageDown', 'end');
    expect(lines.scroll.logs).toBe(0);
    expect(hit(lines, size, 5, 0)).toBeNull();
    expect(hit(lines, { columns: 5, rows: 3 }, 1, 1)).toBeNull();
  });

  it('select the next deployment when the selected one is deleted', () => {
    const state = stateWith(3);
    press(state, 'down');
    state.takeDeployments(state.deployments.filter(({ id }) => id !== 2));
    expect(state.selectedId).toBe(3);
    state.takeDeployments([]);
    expect([state.selectedId, state.selected]).toEqual([null, null]);
    expect(rowsOf(state, size, NOW).length).toBe(24);
  });
});
