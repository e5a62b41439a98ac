/** Tables of the page, and the buttons between their pages. */
import { element } from './elements.js';

const NUMBERS = ['Messages', 'QoS', 'Topics', 'Partitions', 'Offset', 'Size'];

export const head = (content) => element('th', { scope: 'row', children: [content] });
export const cell = (label, content, className = '') =>
  element('td', { className, ...(label && { 'data-label': label }), children: [content] });

export function tableOf({ columns, row }, items, reload) {
  const titles = columns.map((text) =>
    element('th', { scope: 'col', text, ...(NUMBERS.includes(text) && { className: 'number' }) }),
  );
  const body = items.map((item) => element('tr', { children: row(item, reload) }));
  return element('table', {
    children: [
      element('thead', { children: [element('tr', { children: titles })] }),
      element('tbody', { children: body }),
    ],
  });
}

/** Buttons that call `go` with the number of another page. Empty for one page. */
export function pageButtons(page, total, go) {
  if (total <= 1) return [];
  const step = (text, to, isPossible) => {
    const button = element('button', { type: 'button', text, onclick: () => go(to) });
    button.disabled = !isPossible;
    return button;
  };
  const place = element('span', { className: 'soft', text: `Page ${page} of ${total.toLocaleString('en')}` });
  const children = [step('Previous', page - 1, page > 1), place, step('Next', page + 1, page < total)];
  return [element('div', { className: 'pages', children })];
}
