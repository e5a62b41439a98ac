import { AREAS, nearestSpecs, sourcesOf } from './areas.mjs';
import { EQUIVALENT } from './equivalent.mjs';
import { describeMutant, mutantsOf } from './generate.mjs';

/** A random sample of the mutants of an area, without the mutants that behave like the original. */
export function sampleOf(area, { sample, seed }) {
  const mutants = sourcesOf(area)
    .flatMap(mutantsOf)
    .map((mutant) => ({ ...mutant, area, ...describeMutant(mutant) }))
    .filter((mutant) => !isEquivalent(mutant));
  return shuffled(mutants, numbersFrom(seed + Object.keys(AREAS).indexOf(area)))
    .slice(0, sample)
    .map((mutant) => ({ ...mutant, specs: nearestSpecs(area, mutant.file) }));
}

const isEquivalent = (mutant) =>
  EQUIVALENT.some(
    ({ file, before, after }) => mutant.file === file && mutant.before === before && mutant.after === after,
  );

function shuffled(values, next) {
  const rest = [...values];
  const chosen = [];
  while (rest.length > 0) chosen.push(...rest.splice(Math.floor(next() * rest.length), 1));
  return chosen;
}

/** Mulberry32: the same seed gives the same numbers on every machine. */
function numbersFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
