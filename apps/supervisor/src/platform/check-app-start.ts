import { checkDatabaseOfApp } from '@libs/persistence';
import { checkQueue } from '@libs/queue';
import { checkNodePorts, isLaunched, requireDataDirectory } from '@libs/domain/starts';
import type { SupervisorConfig } from '../config.js';

/**
 * Checks everything outside of this process that its start needs. Returns warnings.
 * @throws StartRefused
 */
export async function checkAppStart(config: SupervisorConfig): Promise<string[]> {
  const directory = directoryOf(config);
  if (directory !== null) requireDataDirectory(directory);
  const warnings = await checkDatabaseOfApp(config.DATABASE_URL, {
    app: 'supervisor',
    keys: config.LANDLORD_SECRET_KEYS,
    source: 'LANDLORD_SECRET_KEYS',
  });
  if (isLaunched()) return [];
  const others = [await checkQueue(config.QUEUE_URL), await nodePortsProblem(config)];
  return [...warnings, ...others.filter((warning) => warning !== null)];
}

/** Only workers start nodes. */
async function nodePortsProblem(config: SupervisorConfig): Promise<string | null> {
  if (config.LANDLORD_ROLE === 'api' || config.LANDLORD_ROLE === 'gateway') return null;
  return checkNodePorts(config.LOCAL_PORT_RANGE, config.LOCAL_BIND_ADDRESS);
}

/** The directory in which this process writes, or null. The API of a Supervisor only reads files. */
export const directoryOf = ({ LANDLORD_ROLE, LANDLORD_DATA_DIR }: SupervisorConfig): string | null =>
  LANDLORD_ROLE === 'api' ? null : LANDLORD_DATA_DIR;
