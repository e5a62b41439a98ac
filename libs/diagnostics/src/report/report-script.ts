import { CHART_SCRIPT } from './chart-script.js';
import { LOG_SCRIPT } from './log-script.js';

/** Starts the parts of the report. Shows text of nodes and users as text, never as markup. */
export const REPORT_SCRIPT = `'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const nameOf = new Map(data.nodes.map(({ id, name }) => [id, name]));
const byId = (id) => document.getElementById(id);

const theme = byId('theme');
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme ?? (prefersDark.matches ? 'dark' : 'light')) === 'dark';
const themed = [];
const sayTheme = () => {
  theme.textContent = isDark() ? 'Light colours' : 'Dark colours';
  for (const redraw of themed) redraw();
};
theme.addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  sayTheme();
});
prefersDark.addEventListener('change', sayTheme);

const verdicts = [...document.querySelectorAll('input[data-verdict]')];
for (const box of verdicts)
  box.addEventListener('change', () => {
    const wanted = verdicts.filter(({ checked }) => checked).map(({ dataset }) => dataset.verdict);
    for (const row of document.querySelectorAll('tr[data-verdict]')) row.hidden = !wanted.includes(row.dataset.verdict);
  });

document.documentElement.dataset.ready = 'true';
${CHART_SCRIPT}
${LOG_SCRIPT}
sayTheme();
})();
`;
