import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMutant } from '../generate.mjs';
import { ROOT } from '../play.mjs';

const LISTS = {};

/** The named mutants. Throws when the text of a mutant is not in its file, or occurs twice. */
export function namedMutants() {
  return Object.entries(LISTS).flatMap(([area, list]) => list.map((entry) => ({ area, ...placed(entry) })));
}

class MutantWithoutPlace extends Error {
  name = 'MutantWithoutPlace';
}

function placed({ name, file, before, after, specs }) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const count = text.split(before).length - 1;
  if (count !== 1)
    throw new MutantWithoutPlace(`"${name}": ${file} contains the text ${count} times, not once. Update the mutant.`);
  const start = text.indexOf(before);
  const mutant = { file, start, end: start + before.length, replacement: after };
  return { ...mutant, name, specs, ...describeMutant(mutant) };
}
