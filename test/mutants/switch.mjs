import { join } from 'node:path';

/** The environment variable that contains the mutant of this process as JSON. */
const VARIABLE = 'LANDLORD_MUTANT';

/** The environment of a process that runs this mutant. */
export const environmentOf = (mutant) => (mutant ? { [VARIABLE]: JSON.stringify(mutant) } : {});

/** A plugin that changes the source of one file while Vitest loads it. The file on the disk stays as it is. */
export function mutantFromEnvironment() {
  const { file, start, end, replacement } = JSON.parse(process.env[VARIABLE] ?? '{}');
  const path = file && join(import.meta.dirname, '../..', file);
  return {
    name: 'landlord-mutant',
    enforce: 'pre',
    transform: (code, id) =>
      id === path ? { code: code.slice(0, start) + replacement + code.slice(end), map: null } : null,
  };
}
