import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const textOf = (file: string): string => readFileSync(require.resolve(`uplot/dist/${file}`), 'utf8');

/** uPlot (MIT). Every report contains it. Read for the first report. */
export function chartLibrary(): { script: string; style: string } {
  return { script: textOf('uPlot.iife.min.js'), style: textOf('uPlot.min.css') };
}
