// A session in a terminal as a moving picture: SVG with animations of CSS, which a page shows without any program.
export const COLUMNS = 100;
const CHARACTER = 8.4;
const LINE = 20;
const MARGIN = 20;
const BAR = 34;
const KEY_SECONDS = 0.03;
const PAUSE_SECONDS = 1;
/** How long the end stays before the picture begins again. */
const REST_SECONDS = 6;

/**
 * `steps`: [{ command, output, seconds }]. A command appears letter by letter, and its output after the seconds that it really took.
 * Without animations, or for people who want none, the picture is the end of the session.
 */
export function drawnTerminal(title, steps) {
  const rows = rowsOf(steps);
  const end = rows.at(-1).at + REST_SECONDS;
  const [width, height] = [COLUMNS * CHARACTER + 2 * MARGIN, BAR + rows.length * LINE + MARGIN];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${title}</title>
<style>
text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#d6deeb;white-space:pre}
.c{fill:#fff;font-weight:600}.p{fill:#7fdbca}
@media (prefers-reduced-motion:no-preference){
${rows.map((row, index) => animationOf(row, index, end)).join('\n')}
}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0f172a"/>
${[20, 38, 56].map((x) => `<circle cx="${x}" cy="17" r="5" fill="#475569"/>`).join('')}
${rows.map(textOf).join('\n')}
</svg>
`;
}

/** The lines: what is typed is `keys`, and appears letter by letter from the second `at`. */
function rowsOf(steps) {
  const rows = [];
  let at = PAUSE_SECONDS / 2;
  for (const { command, output, seconds } of steps) {
    for (const [index, keys] of command.split('\n').entries()) {
      rows.push({ prompt: index === 0 ? '$ ' : '', keys, text: '', at });
      at += keys.length * KEY_SECONDS;
    }
    const lines = output.trimEnd() === '' ? [] : output.trimEnd().split('\n');
    // The lines of a longer command came one after another.
    for (const [index, text] of lines.entries())
      rows.push({
        prompt: '',
        keys: '',
        text: text.slice(0, COLUMNS),
        at: at + (seconds * (index + 1)) / lines.length,
      });
    at += seconds + PAUSE_SECONDS;
  }
  return rows;
}

function textOf({ prompt, keys, text }, index) {
  const length = (prompt + keys + text).length;
  const parts = [
    ...(prompt ? [`<tspan class="p">${prompt}</tspan>`] : []),
    ...(keys ? [`<tspan class="c">${escaped(keys)}</tspan>`] : []),
    escaped(text),
  ];
  return `<text class="r${index}" x="${MARGIN}" y="${BAR + (index + 1) * LINE}" textLength="${Math.round(Math.max(1, length) * CHARACTER)}">${parts.join('')}</text>`;
}

/** The row is hidden, appears at its time, and stays until the picture begins again. */
function animationOf({ at, keys }, index, end) {
  const percent = (seconds) => `${((100 * seconds) / end).toFixed(2)}%`;
  const visibleAt = at + Math.max(keys.length * KEY_SECONDS, 0.01);
  return (
    `@keyframes k${index}{0%,${percent(at)}{clip-path:inset(0 100% 0 0);animation-timing-function:steps(${keys.length || 1})}` +
    `${percent(visibleAt)},100%{clip-path:inset(0 0 0 0)}}.r${index}{animation:k${index} ${end.toFixed(1)}s infinite}`
  );
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
