import { AREAS, nearestSpecs, sourcesOf } from './areas.mjs';
import { EQUIVALENT } from './equivalent.mjs';
import { describeMutant, mutantsOf } from './generate.mjs';

class EquivalentMutantMissing extends Error {
  name = 'EquivalentMutantMissing';
}

/**
 * A random sample of the mutants of an area, without the mutants that behave like the original. Throws when the list of
 * those names a mutant that does not exist any more.
 */
export function sampleOf(area, { sample, seed }) {
  const mutants = sourcesOf(area)
    .flatMap(mutantsOf)
    .map((mutant) => ({ ...mutant, area, ...describeMutant(mutant) }));
  for (const entry of EQUIVALENT.filter(({ file }) => file.startsWith(`${AREAS[area]}/`)))
    if (!mutants.some((mutant) => isSame(entry, mutant)))
      throw new EquivalentMutantMissing(`No mutant "${entry.after}" in ${entry.file}. Update the list.`);
  return shuffled(mutants, numbersFrom(seed + Object.keys(AREAS).indexOf(area)))
    .filter((mutant) => !isEquivalent(mutant))
    .slice(0, sample)
    .map((mutant) => ({ ...mutant, specs: nearestSpecs(area, mutant.file) }));
}

const isEquivalent = (mutant) => EQUIVALENT.some((entry) => isSame(entry, mutant));

const isSame = ({ file, before, after }, mutant) =>
  mutant.file === file && mutant.before === before && mutant.after === after;

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
