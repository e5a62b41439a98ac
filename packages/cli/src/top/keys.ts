import type { InputEvent, Key } from './input.js';
import { boxesOf, type Size } from './layout.js';
import { PANES, type Pane, type State } from './state.js';
import { hit, linesIn } from './view.js';

const WHEEL_LINES = 3;

/** Does what a key or the mouse asks for. */
export function act(state: State, size: Size, event: InputEvent): void {
  if (event.kind === 'key') return press(state, size, event.key);
  const place = hit(state, size, event.column, event.row);
  if (place === null) return;
  if (event.kind === 'wheelUp') return move(state, size, place.pane, -WHEEL_LINES);
  if (event.kind === 'wheelDown') return move(state, size, place.pane, WHEEL_LINES);
  state.focus = place.pane;
  if (place.pane === 'deployments' && place.line !== null) state.select(place.line);
}

function press(state: State, size: Size, key: Key): void {
  const at = PANES.indexOf(state.focus);
  if (key === 'next') state.focus = PANES[(at + 1) % PANES.length] ?? state.focus;
  if (key === 'previous') state.focus = PANES[(at + PANES.length - 1) % PANES.length] ?? state.focus;
  const lines = linesOf(state, size)[key];
  if (lines !== undefined) move(state, size, state.focus, lines);
}

/** How far each key moves. */
function linesOf(state: State, size: Size): Partial<Record<Key, number>> {
  const page = Math.max(placeFor(state, size, state.focus) - 1, 1);
  const all = state.linesOf(state.focus);
  return { up: -1, down: 1, pageUp: -page, pageDown: page, home: -all, end: all };
}

/** The deployments have a selection, which stays in the window. The other panes only scroll. */
function move(state: State, size: Size, pane: Pane, lines: number): void {
  const place = placeFor(state, size, pane);
  const last = Math.max(state.linesOf(pane) - place, 0);
  if (pane !== 'deployments') {
    // Up is towards older lines.
    const scroll = state.scroll[pane] + (pane === 'logs' ? -lines : lines);
    state.scroll[pane] = between(scroll, 0, last);
    return;
  }
  state.select(state.selectedAt + lines);
  const { selectedAt } = state;
  state.scroll.deployments = between(state.scroll.deployments, Math.max(selectedAt - place + 1, 0), selectedAt);
}

function placeFor(state: State, size: Size, pane: Pane): number {
  const box = boxesOf(size, state.focus).find((one) => one.pane === pane);
  return box === undefined ? 0 : linesIn(box);
}

const between = (value: number, least: number, most: number): number => Math.max(Math.min(value, most), least);
