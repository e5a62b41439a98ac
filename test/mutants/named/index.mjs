import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMutant } from '../generate.mjs';
import { ROOT } from '../play.mjs';
import { ACCESS, AUDIT, GATE, WRITES_OVER_HTTP } from './http.mjs';
import { ELSEWHERE, PERSISTENCE } from './persistence.mjs';
import { CATALOG, DOMAIN, WORKFLOW } from './rules.mjs';

/** The lists by area. `persistence` and `other` have no generated mutants. */
const LISTS = {
  domain: DOMAIN,
  catalog: CATALOG,
  workflow: WORKFLOW,
  writes: WRITES_OVER_HTTP,
  gate: GATE,
  audit: AUDIT,
  access: ACCESS,
  persistence: PERSISTENCE,
  other: ELSEWHERE,
};

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
