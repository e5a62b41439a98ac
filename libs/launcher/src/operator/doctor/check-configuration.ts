import { fail, ok, type Finding } from '@libs/operator';
import { findProblems } from '../../start/check-settings.js';

const CHECK = 'configuration';

/** All problems of the environment, for the launcher and both apps, one finding each. */
export async function checkConfiguration(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const problems = await findProblems(environment);
  if (problems.length === 0) return [ok(CHECK, 'all settings of the environment are valid')];
  return problems.map(({ name, expected }) =>
    fail(CHECK, `${name}: ${expected}`, 'Correct the variable, or remove it.'),
  );
}
