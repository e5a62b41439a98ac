/**
 * Log lines with filters by text, level, node and runtime. Only visible lines have elements, so that tens of thousands are
 * fast.
 */
export const LOG_SCRIPT = `
const LEVELS = ['debug', 'info', 'warn', 'error'];
const allLines = data.logs
  .flatMap(({ node_id, runtime, lines }) => lines.map(([at, level, message]) => ({ at, level, message, node_id, runtime })))
  .map((line, index) => ({ ...line, index }));
// Lines without a time stay behind the one before them.
{
  let last = 0, log = null;
  let next = 0;
  for (const { lines } of data.logs) {
    last = lines.find(([at]) => at !== null)?.[0] ?? 0;
    for (let index = 0; index < lines.length; index += 1, next += 1) {
      last = allLines[next].at ?? last;
      allLines[next].order = last;
      allLines[next].low = allLines[next].message.toLowerCase();
    }
  }
  allLines.sort((a, b) => a.order - b.order || a.index - b.index);
}
const [lineBox, sizer, chosenText] = [byId('lines'), byId('all-lines'), byId('line')];
const filters = { text: byId('log-text'), level: byId('log-level'), node: byId('log-node'), runtime: byId('log-runtime') };
let found = allLines;
let chosen = null;
const rowHeight = () => parseFloat(getComputedStyle(lineBox).lineHeight);
const timeOf = (at) => (at === null ? '                       ' : new Date(at).toISOString().slice(0, 23).replace('T', ' '));
function showLines() {
  const height = rowHeight();
  sizer.style.height = found.length * height + 'px';
  const first = Math.max(0, Math.floor(lineBox.scrollTop / height) - 10);
  const last = Math.min(found.length, Math.ceil((lineBox.scrollTop + lineBox.clientHeight) / height) + 10);
  const rows = [];
  let longest = 0;
  for (let index = first; index < last; index += 1) {
    const line = found[index];
    const row = document.createElement('div');
    row.className = 'line ' + (LEVELS.includes(line.level) ? line.level : '') + (line === chosen ? ' chosen' : '');
    row.style.top = index * height + 'px';
    row.dataset.index = String(index);
    const who = document.createElement('span');
    who.className = 'who';
    who.textContent = (nameOf.get(line.node_id) ?? line.node_id) + ' ' + line.runtime.padEnd(7);
    const [day, clock] = [document.createElement('span'), timeOf(line.at)];
    day.className = 'day';
    day.textContent = clock.slice(0, 11);
    row.append(day, clock.slice(11) + ' ' + line.level.toUpperCase().padEnd(5) + ' ', who, ' ' + line.message.slice(0, 1000));
    longest = Math.max(longest, row.textContent.length);
    rows.push(row);
  }
  sizer.style.minWidth = longest + 2 + 'ch';
  sizer.replaceChildren(...rows);
}
function filterLines() {
  const words = filters.text.value.toLowerCase();
  const from = LEVELS.indexOf(filters.level.value);
  const [node, runtime] = [filters.node.value, filters.runtime.value];
  found = allLines.filter((line) =>
    (from < 1 || LEVELS.indexOf(line.level) >= from) && (node === '' || String(line.node_id) === node) &&
    (runtime === '' || line.runtime === runtime) && (words === '' || line.low.includes(words)));
  byId('log-count').textContent = found.length + ' of ' + allLines.length + ' lines';
  // The newest are in sight; only what is high enough can be scrolled.
  sizer.style.height = found.length * rowHeight() + 'px';
  lineBox.scrollTop = found.length * rowHeight();
  showLines();
}
function choose(index) {
  chosen = found[index] ?? chosen;
  if (!chosen) return;
  chosenText.textContent = timeOf(chosen.at) + ' ' + chosen.level + ' ' + (nameOf.get(chosen.node_id) ?? '') + ' ' + chosen.runtime + '\\n' + chosen.message;
  showLines();
}
lineBox.addEventListener('scroll', showLines, { passive: true });
lineBox.addEventListener('click', (event) => {
  const row = event.target.closest('.line');
  if (row) choose(Number(row.dataset.index));
});
lineBox.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const at = chosen ? found.indexOf(chosen) : -1;
  const index = at === -1 ? Math.floor(lineBox.scrollTop / rowHeight()) : Math.min(found.length - 1, Math.max(0, at + step));
  const [top, height] = [index * rowHeight(), rowHeight()];
  if (top < lineBox.scrollTop) lineBox.scrollTop = top;
  if (top + height > lineBox.scrollTop + lineBox.clientHeight) lineBox.scrollTop = top + height - lineBox.clientHeight;
  choose(index);
});
for (const control of Object.values(filters)) control.addEventListener('input', filterLines);
addEventListener('resize', showLines);
filterLines();
`;
