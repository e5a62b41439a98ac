import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './play.mjs';

/** The areas with generated mutants: the folder of their sources. */
export const AREAS = {
  domain: 'libs/domain/src',
  catalog: 'libs/catalog/src',
  workflow: 'libs/workflow/src',
  writes: 'libs/http/src/writes',
  gate: 'libs/host/src/gate',
  audit: 'apps/main-api/src/audit',
  access: 'libs/access/src',
};

/** Tables of values without rules: the catalogue of errors, limits of the agent protocol, prices, lists of domains. */
const TABLES = [
  ...['libs/domain/src/errors.ts', 'libs/domain/src/agent-protocol.ts', 'libs/domain/src/node-orders.ts'],
  ...['libs/domain/src/refusals/', 'libs/domain/src/people/public-email-domains.ts', 'libs/catalog/src/data/'],
];

/** The sources of an area that have generated mutants. */
export function sourcesOf(area) {
  return filesUnder(AREAS[area]).filter(
    (file) => !/\.(spec|proof)\.ts$/.test(file) && !TABLES.some((table) => file.startsWith(table)),
  );
}

/**
 * The nearest specs of a source: the specs with its name (`runner.spec.ts`, `runner-signals.spec.ts`) and the specs of the
 * area that import it, or all specs of the area if there are none.
 */
export function nearestSpecs(area, file) {
  const specs = filesUnder(AREAS[area]).filter((path) => path.endsWith('.spec.ts'));
  const stem = file.slice(0, -'.ts'.length);
  const near = specs.filter(
    (spec) =>
      spec.startsWith(`${stem}.`) ||
      spec.startsWith(`${stem}-`) ||
      readFileSync(join(ROOT, spec), 'utf8').includes(`/${basename(stem)}.js'`),
  );
  return near.length > 0 ? near : specs;
}

const filesUnder = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .sort();
