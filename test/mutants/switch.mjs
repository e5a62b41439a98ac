import { join } from 'node:path';

/** The environment variable that contains the mutant of this process as JSON. */
const VARIABLE = 'LANDLORD_MUTANT';
const { file, start, end, replacement } = JSON.parse(process.env[VARIABLE] ?? '{}');
const path = file && join(import.meta.dirname, '../..', file);

/** The environment of a process that runs this mutant. */
export const environmentOf = (mutant) => (mutant ? { [VARIABLE]: JSON.stringify(mutant) } : {});

/** The source of a file with the mutant of this process. */
export const mutated = (source, filename) =>
  filename === path ? source.slice(0, start) + replacement + source.slice(end) : source;
