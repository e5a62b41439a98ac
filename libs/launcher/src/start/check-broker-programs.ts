import { requireBrokerPrograms, type BrokerPrograms, type BrokerProgramSettings } from '@libs/host/programs';
import { ConfigInvalid, type SettingProblem } from '@libs/domain/settings';
import type { LauncherConfig } from '../config.js';
import { appSettings } from './app-entries.js';
import { GIVEN_TO_APPS } from './check-settings.js';

/** The exports of the settings of the Supervisor. */
interface SupervisorSettings {
  findProblems(environment: NodeJS.ProcessEnv): SettingProblem[];
  readConfig(environment: NodeJS.ProcessEnv): BrokerProgramSettings;
}

/**
 * Checks the programs of brokers as the Supervisor does at its start. @throws StartRefused, and ConfigInvalid for settings of the
 * Supervisor
 */
export async function checkBrokerPrograms({
  inherited,
  dataDir,
}: Pick<LauncherConfig, 'inherited' | 'dataDir'>): Promise<BrokerPrograms> {
  const settings = (await import(appSettings('supervisor'))) as SupervisorSettings;
  const environment = { ...inherited, ...GIVEN_TO_APPS, LANDLORD_DATA_DIR: dataDir };
  // The bundle has its own copy of the class of this error, because the launcher is one file.
  const problems = settings.findProblems(environment);
  if (problems.length > 0) throw new ConfigInvalid(problems);
  return requireBrokerPrograms(settings.readConfig(environment));
}
