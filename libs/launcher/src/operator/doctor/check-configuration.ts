import { ConfigInvalid, parseSettings, readTls, SHARED_SETTINGS } from '@libs/domain/settings';
import { fail, ok, type Finding } from '@libs/operator';
import { z } from 'zod';
import { readConfig } from '../../config.js';

const CHECK = 'configuration';

/** Settings that only the apps read. */
const APP_SETTINGS = z
  .object(SHARED_SETTINGS)
  .pick({ TRUSTED_PROXIES: true, BASE_DOMAIN: true, TLS_CERT: true, TLS_KEY: true });

/** All problems of the environment, for the launcher and the apps, one finding each. */
export function checkConfiguration(environment: NodeJS.ProcessEnv): Finding[] {
  const attempts = [() => void readConfig(environment), () => void readTls(parseSettings(APP_SETTINGS, environment))];
  const problems = attempts.flatMap(problemsOf);
  if (problems.length === 0) return [ok(CHECK, 'all settings of the environment are valid')];
  return problems.map((problem) => fail(CHECK, problem, 'Correct the variable, or remove it.'));
}

function problemsOf(attempt: () => void): string[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.problems.map(({ name, expected }) => `${name}: ${expected}`);
  }
}
