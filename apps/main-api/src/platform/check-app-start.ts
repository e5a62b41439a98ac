import { checkDatabaseOfApp } from '@libs/persistence';
import { checkQueue } from '@libs/queue';
import { isLaunched, requireDataDirectory } from '@libs/domain/starts';
import type { MainApiConfig } from '../config.js';

/**
 * Checks everything outside of this process that its start needs. Returns warnings.
 * @throws StartRefused
 */
export async function checkAppStart(config: MainApiConfig): Promise<string[]> {
  const directory = directoryOf(config);
  if (directory !== null) requireDataDirectory(directory);
  const warnings = await checkDatabaseOfApp(config.DATABASE_URL, {
    app: 'main_api',
    keys: config.LANDLORD_SECRET_KEYS,
    source: 'LANDLORD_SECRET_KEYS',
  });
  if (isLaunched()) return [];
  const queue = await checkQueue(config.QUEUE_URL);
  return queue === null ? warnings : [...warnings, queue];
}

/**
 * The directory in which this process writes, or null. Mails are files of the data directory when there is no mail server. This app
 * writes nothing else there.
 */
export const directoryOf = ({ SMTP_URL, LANDLORD_DATA_DIR }: MainApiConfig): string | null =>
  SMTP_URL === undefined ? LANDLORD_DATA_DIR : null;
