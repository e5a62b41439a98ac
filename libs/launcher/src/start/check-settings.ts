import { ConfigInvalid, type SettingProblem } from '@libs/domain/settings';
import { givenEnvironment, launcherProblems, readConfig, type LauncherConfig } from '../config.js';
import { APP_NAMES, appSettings, type AppName } from './app-entries.js';

/** What the launcher gives to the apps. A malformed value of the environment is a problem of the launcher itself. */
export const GIVEN_TO_APPS = {
  DATABASE_URL: 'postgres://landlord@127.0.0.1/landlord',
  LANDLORD_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
};

/** The export of the file of settings of an app. */
interface AppSettings {
  findProblems(environment: NodeJS.ProcessEnv): SettingProblem[];
}

/**
 * Reads the settings of the launcher, and checks those of both apps, before anything starts.
 * @throws ConfigInvalid that lists every problem of the launcher and of both apps
 */
export async function requireSettings(environment: NodeJS.ProcessEnv = givenEnvironment()): Promise<LauncherConfig> {
  const problems = await findProblems(environment);
  if (problems.length > 0) throw new ConfigInvalid(problems);
  return readConfig(environment);
}

/** Every problem of the settings of the launcher and of both apps, by name. */
export async function findProblems(environment: NodeJS.ProcessEnv): Promise<SettingProblem[]> {
  const problems = new Map<string, SettingProblem>();
  // The launcher and both apps read some settings. One line for each of them is enough.
  const add = (problem: SettingProblem): unknown => problems.has(problem.name) || problems.set(problem.name, problem);
  launcherProblems(environment).forEach(add);
  for (const name of APP_NAMES) (await appProblems(name, environment)).forEach(add);
  return [...problems.values()].sort(byName);
}

/** Loads only the settings of the built app. Loading the whole app takes longer than its start may. */
async function appProblems(name: AppName, environment: NodeJS.ProcessEnv): Promise<SettingProblem[]> {
  const settings = (await import(appSettings(name))) as AppSettings;
  return settings.findProblems({ ...environment, ...GIVEN_TO_APPS });
}

const byName = (one: SettingProblem, other: SettingProblem): number => one.name.localeCompare(other.name);
