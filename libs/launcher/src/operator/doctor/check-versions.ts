import { fail, ok, type Finding } from '@libs/operator';
import { locateBinaries } from '../../embedded-postgres/binaries.js';
import { RELEASE } from '@libs/domain/starts';

const CHECK = 'versions';
const LEAST: [number, number] = [20, 19];

/** Checks the version of Node.js, and the programs of an embedded PostgreSQL. */
export function checkVersions(isEmbedded: boolean): Finding[] {
  return [checkNode(process.versions.node), ...(isEmbedded ? [checkBinaries()] : [])];
}

/** Checks a version of Node.js, such as `20.19.1`. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const what = `Landlord ${RELEASE}, Node ${version}`;
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return ok(CHECK, what);
  return fail(CHECK, what, `Install Node ${LEAST.join('.')} or later.`);
}

function checkBinaries(): Finding {
  try {
    return ok('PostgreSQL programs', locateBinaries().postgres);
  } catch (error) {
    return fail('PostgreSQL programs', (error as Error).message, 'Run: npm ci');
  }
}
