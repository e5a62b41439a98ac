import { pathToFileURL } from 'node:url';
import { requireBrokerPrograms, type BrokerPrograms, type BrokerProgramSettings } from '@libs/cloud';
import type { LauncherConfig } from '../config.js';
import { appEntry } from './app-entries.js';
import { GIVEN_TO_APPS } from './check-settings.js';

/** The export of the file of settings of the Supervisor. */
interface SupervisorSettings {
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
  const file = new URL('config.js', pathToFileURL(appEntry('supervisor'))).href;
  const settings = (await import(file)) as SupervisorSettings;
  return requireBrokerPrograms(settings.readConfig({ ...inherited, ...GIVEN_TO_APPS, LANDLORD_DATA_DIR: dataDir }));
}
