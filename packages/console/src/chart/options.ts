import type UPlot from 'uplot';
import { written, type Measure } from './measures.js';

const HEIGHT = 170;
/** Wide enough for "1,023 MiB/s". */
const AXIS_WIDTH = 76;
/** Colours of the page, and for more nodes the same colours with other dashes. */
const COLORS = ['--accent', '--good', '--busy', '--bad', '--soft'];
const DASHES = [[], [6, 3], [2, 3]];
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
/** Distances of the lines of the grid: round in KiB, MiB and so on. */
const OF_BYTES = Array.from({ length: 50 }, (_, power) => 2 ** power);
const OF_NUMBERS = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat();

/** A colour of the page at the time of drawing, because a person can change the colours. */
const color = (name: string) => (): string => getComputedStyle(document.documentElement).getPropertyValue(name);

/** How to draw the measure of the nodes. */
export const optionsOf = (measure: Measure, nodes: readonly string[], width: number): UPlot.Options => ({
  width,
  height: HEIGHT,
  legend: { show: false },
  cursor: { show: false },
  scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
  axes: [
    axis({ values: (_, splits) => splits.map((at) => CLOCK.format(at * 1000)) }),
    axis({
      ...{ size: AXIS_WIDTH, values: (_, splits) => splits.map((at) => written(at, measure.unit)) },
      ...(measure.unit.startsWith('bytes') && { incrs: OF_BYTES }),
      ...(measure.unit === 'number' && { incrs: OF_NUMBERS }),
    }),
  ],
  series: [{}, ...nodes.map((label, at) => ({ label, ...lineOf(at), spanGaps: false }))],
});

/** The look of the line of a node. Its key beside the chart has the same. */
const lineOf = (at: number): Pick<UPlot.Series, 'stroke' | 'dash' | 'width'> => ({
  stroke: color(COLORS[at % COLORS.length] ?? '--accent'),
  dash: DASHES[Math.floor(at / COLORS.length) % DASHES.length] ?? [],
  width: 2,
});

const axis = (own: UPlot.Axis): UPlot.Axis => ({
  stroke: color('--soft'),
  grid: { stroke: color('--line'), width: 1 },
  ticks: { show: false },
  ...own,
});
