import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import styles from './chart.module.css';
import { written, type Measure } from './measures.js';
import { optionsOf } from './options.js';
import type { Lines } from './series.js';

interface ChartProps {
  measure: Measure;
  lines: Lines;
  /** Names of the nodes, in the order of the lines. */
  nodes: readonly string[];
}

/** Lines over time. The numbers are in a table of the same screen, for people who do not see the picture. */
export function Chart({ measure, lines, nodes }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const names = nodes.join('\n');
  useEffect(() => {
    if (!box.current) return;
    const made = new UPlot(optionsOf(measure, names.split('\n'), box.current.clientWidth), [[]], box.current);
    plot.current = made;
    const leave = followPage(box.current, made);
    return () => {
      leave();
      made.destroy();
    };
  }, [measure, names]);
  useEffect(() => {
    const [min, max] = lines.window;
    plot.current?.setData([lines.times, ...lines.values], false);
    plot.current?.setScale('x', { min, max });
  }, [lines, measure, names]);
  const last = lines.values.map((values) => values.findLast((value) => value !== null));
  const told = nodes.map((node, at) => `${node} ${last[at] == null ? 'unknown' : written(last[at], measure.unit)}`);
  return (
    <figure className={styles['figure']}>
      <figcaption>{measure.name}</figcaption>
      <div ref={box} role="img" aria-label={`${measure.name}, now: ${told.join(', ')}`} />
    </figure>
  );
}

/** Which line belongs to which node. */
export const NodeKey = ({ nodes }: { nodes: readonly string[] }) => (
  <ul className={styles['key']} aria-label="Lines">
    {nodes.map((node, at) => (
      <li key={node} className={`${styles[`color${at % 5}`]} ${styles[`dash${Math.floor(at / 5) % 3}`]}`}>
        {node}
      </li>
    ))}
  </ul>
);

/** Fits the picture to its box, and draws it again with other colours of the page. */
function followPage(box: HTMLElement, plot: UPlot): () => void {
  const sizes = new ResizeObserver(() => {
    if (box.clientWidth > 0 && box.clientWidth !== plot.width)
      plot.setSize({ width: box.clientWidth, height: plot.height });
  });
  sizes.observe(box);
  const draw = (): void => plot.redraw();
  const theme = new MutationObserver(draw);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', draw);
  return () => {
    sizes.disconnect();
    theme.disconnect();
    dark.removeEventListener('change', draw);
  };
}
