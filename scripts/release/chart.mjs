// The chart for Kubernetes, with the version of the release.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseDocument } from 'yaml';
import { packFolder } from '../artifacts/pack-folder.mjs';
import { ROOT } from '../build-stamp.mjs';

const FOLDER = join(ROOT, 'charts/landlord');
/** The values of the tests. */
const OMITTED = 'ci';

export const CHART = { name: 'chart', make };

/** `helm install` takes the file. It contains no foreign code, so it has no list of parts. */
function make({ facts, work, target }) {
  cpSync(FOLDER, work, { recursive: true, filter: (path) => relative(FOLDER, path) !== OMITTED });
  const file = join(work, 'Chart.yaml');
  const chart = parseDocument(readFileSync(file, 'utf8'));
  chart.set('version', facts.version);
  chart.set('appVersion', facts.version);
  writeFileSync(file, chart.toString({ singleQuote: true }));
  packFolder(work, join(target, `landlord-${facts.version}.tgz`), { prefix: 'landlord', time: facts.time });
  return [];
}
