// The guard against slow decay: no measure may take more than 1.15 times the CPU of the release before.
import { round } from '../measure.mjs';
import { compareReleases } from './against.mjs';

export const MOST = 1.15;
const ROUNDS = 7;
const TRIES = 3;

/**
 * Compares both checkouts, up to three times. A measure is slower only if each try says so: the load of the machine changes
 * a single try. Returns the names of the slower measures.
 */
export async function slowerMeasures({ now, before }) {
  let slower = null;
  for (let attempt = 1; attempt <= TRIES && slower?.length !== 0; attempt += 1) {
    const rows = await compareReleases({ now, before, rounds: ROUNDS });
    for (const row of rows) console.log(`  ${textOf(row)}`);
    const found = rows.filter(({ median }) => median > MOST).map(({ measure }) => measure);
    slower = slower === null ? found : slower.filter((measure) => found.includes(measure));
  }
  return slower;
}

const textOf = ({ measure, median, q1, q3, micros_now, micros_before }) =>
  `CPU of a ${measure}: ${round(median)} (${round(q1)} – ${round(q3)}) of the release before, ${micros_now} µs and ${micros_before} µs`;
