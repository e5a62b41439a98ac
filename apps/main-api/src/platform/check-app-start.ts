import { checkDatabaseOfApp } from '@libs/persistence';
import { checkQueue } from '@libs/queue';
import { requireDataDirectory } from '@libs/domain/starts';
import type { MainApiConfig } from '../config.js';

/** Containers start at the same time as their database. */
const PATIENCE_MS = 5_000;
/** The launcher marks its apps. It has already reported the warnings. */
const LAUNCHED = '--landlord-app=';

/**
 * Checks everything outside of this process that its start needs. Returns warnings.
 * @throws StartRefused
 */
export async function checkAppStart(config: MainApiConfig): Promise<string[]> {
  // Mails are files of the data directory when there is no mail server. This app writes nothing else there.
  if (config.SMTP_URL === undefined) requireDataDirectory(config.LANDLORD_DATA_DIR);
  const warnings = await checkDatabaseOfApp(config.DATABASE_URL, {
    app: 'main_api',
    patienceMs: PATIENCE_MS,
    keys: config.LANDLORD_SECRET_KEYS,
    source: 'LANDLORD_SECRET_KEYS',
  });
  if (process.argv.some((argument) => argument.startsWith(LAUNCHED))) return [];
  const queue = await checkQueue(config.QUEUE_URL);
  return queue === null ? warnings : [...warnings, queue];
}
