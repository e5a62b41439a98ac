import { momentText } from '../quantity.js';
import { markup, Markup } from './markup.js';

export type Cell = Markup | string | number | boolean | null | undefined;

const shown = (cell: Cell): Markup =>
  cell === null || cell === undefined || cell === '' ? markup`–` : markup`${cell}`;

/** A table that becomes a list of cards on a narrow screen. Each cell has the name of its column. */
export function table(caption: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Markup {
  if (rows.length === 0) return markup`<p class="none">${caption}: none.</p>`;
  const head = columns.map((column) => markup`<th scope="col">${column}</th>`);
  const body = rows.map(
    (row) => markup`<tr>${row.map((cell, index) => cellOf(cell, columns[index] ?? '', index))}</tr>`,
  );
  return markup`<table class="stack"><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

const cellOf = (cell: Cell, column: string, index: number): Markup =>
  index === 0
    ? markup`<th scope="row" data-column="${column}"><span>${shown(cell)}</span></th>`
    : markup`<td data-column="${column}"><span>${shown(cell)}</span></td>`;

/** Names and values. Omits missing values. */
export function facts(caption: string, entries: readonly (readonly [name: string, value: Cell])[]): Markup {
  const known = entries.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const rows = known.map(([name, value]) => markup`<tr><th scope="row">${name}</th><td>${value}</td></tr>`);
  return markup`<table class="facts"><caption>${caption}</caption><tbody>${rows}</tbody></table>`;
}

/** A closed section for long content. */
export const folded = (title: string, body: Markup): Markup =>
  markup`<details><summary>${title}</summary>${body}</details>`;

export const preformatted = (value: unknown): Markup =>
  markup`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;

/** A time in the common format. */
export const moment = (iso: string | null | undefined): Markup | null =>
  iso ? markup`<time datetime="${iso}">${momentText(iso)}</time>` : null;
