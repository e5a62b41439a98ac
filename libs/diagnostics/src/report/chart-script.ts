/** Charts of metrics over the day or the week, with all nodes. Drag to zoom, double click to reset. */
export const CHART_SCRIPT = `
const COLOURS = { light: ['#0b57d0', '#b3261e', '#0a7d4b', '#8e4ec6', '#9a5b00', '#00727a'], dark: ['#8ab4f8', '#ff9a94', '#7ee2a4', '#d0a9f5', '#f5cf7a', '#7bdfe6'] };
const units = ['', 'K', 'M', 'G', 'T'];
const scaled = (value, step, suffix) => {
  if (value === null || value === undefined) return '–';
  let power = 0, rest = value;
  while (Math.abs(rest) >= step && power < units.length - 1) { rest /= step; power += 1; }
  return (Number.isInteger(rest) ? String(rest) : rest.toFixed(Math.abs(rest) < 10 ? 2 : 1)) + (units[power] || suffix ? ' ' : '') + units[power] + (units[power] && step === 1024 ? 'i' : '') + suffix;
};
const shownAs = (metric) => {
  if (metric.name === 'cpu_percent') return (value) => (value === null || value === undefined ? '–' : value.toFixed(1) + ' %');
  const suffix = (metric.isBytes ? 'B' : '') + (metric.kind === 'counter' ? '/s' : '');
  return (value) => scaled(value, metric.isBytes ? 1024 : 1000, suffix);
};
const POWERS = Array.from({ length: 50 }, (_, power) => 2 ** power);
const two = (value) => String(value).padStart(2, '0');
const timeTicks = (_, ticks, __, ___, step) => {
  let day = null;
  return ticks.map((seconds) => {
    const at = new Date(seconds * 1000);
    const date = two(at.getUTCMonth() + 1) + '-' + two(at.getUTCDate());
    const clock = two(at.getUTCHours()) + ':' + two(at.getUTCMinutes());
    const text = step >= 86400 ? date : date === day ? clock : clock + '\\n' + date;
    day = date;
    return text;
  });
};
// A counter is shown by its rate; a smaller value than before means that it began anew.
const ratesOf = (at, values) =>
  values.map((value, index) => {
    const before = index > 0 ? values[index - 1] : null;
    if (value === null || before === null || before === undefined) return null;
    return value >= before ? (value - before) / (at[index] - at[index - 1]) : null;
  });
const charts = byId('chart-list');
let plots = [];
let shownWindow = 'day';
function joined(metric) {
  const series = data.series.filter((one) => one.window === shownWindow && one.values[metric.name]?.some((value) => value !== null));
  const at = [...new Set(series.flatMap((one) => one.at))].sort((a, b) => a - b);
  const place = new Map(at.map((moment, index) => [moment, index]));
  const lines = series.map((one) => {
    const own = metric.kind === 'counter' ? ratesOf(one.at, one.values[metric.name]) : one.values[metric.name];
    const line = new Array(at.length).fill(null);
    one.at.forEach((moment, index) => { line[place.get(moment)] = own[index]; });
    const runtime = one.runtime === 'broker' ? '' : ' ' + one.runtime;
    return { label: (nameOf.get(one.node_id) ?? String(one.node_id)) + runtime, line };
  });
  return { at, lines };
}
function drawCharts() {
  for (const { plot } of plots) plot.destroy();
  plots = [];
  charts.textContent = '';
  const colours = COLOURS[isDark() ? 'dark' : 'light'];
  const style = getComputedStyle(document.documentElement);
  const [ink, line] = [style.getPropertyValue('--soft').trim(), style.getPropertyValue('--line').trim()];
  for (const metric of data.metrics) {
    const { at, lines } = joined(metric);
    if (at.length < 2) continue;
    const figure = document.createElement('div');
    figure.className = 'card chart';
    const title = document.createElement('h3');
    title.textContent = metric.title;
    figure.append(title);
    charts.append(figure);
    const text = shownAs(metric);
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: '12px system-ui, sans-serif' };
    const plot = new uPlot({
      width: figure.clientWidth - 34, height: 180, tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      cursor: { sync: { key: 'report' }, drag: { x: true, y: false } },
      scales: { y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.1 : 1] } },
      axes: [{ ...axis, values: timeTicks, space: 60 }, { ...axis, size: 84, ...(metric.isBytes && { incrs: POWERS }), values: (_, ticks) => ticks.map(text) }],
      series: [{ label: 'UTC', value: '{YYYY}-{MM}-{DD} {HH}:{mm}' }, ...lines.map(({ label }, index) => ({
        label, stroke: colours[index % colours.length], width: 1.5, spanGaps: false, points: { size: 4 }, value: (_, value) => text(value),
      }))],
    }, [at, ...lines.map(({ line: values }) => values)], figure);
    plot.root.setAttribute('role', 'img');
    plot.root.setAttribute('aria-label', metric.title + ': ' + lines.map(({ label, line: values }) => label + ' ' + text(values.findLast((value) => value !== null))).join(', '));
    plots.push({ plot, figure });
  }
  byId('no-charts').hidden = plots.length > 0;
}
for (const button of document.querySelectorAll('button[data-window]'))
  button.addEventListener('click', () => {
    shownWindow = button.dataset.window;
    for (const one of document.querySelectorAll('button[data-window]')) one.setAttribute('aria-pressed', String(one === button));
    drawCharts();
  });
addEventListener('resize', () => { for (const { plot, figure } of plots) plot.setSize({ width: figure.clientWidth - 34, height: 180 }); });
themed.push(drawCharts);
`;
