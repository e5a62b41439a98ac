import { join, resolve } from 'node:path';
import { isLoopbackHost } from '@libs/domain/starts';
import type { MainApiConfig } from '../config.js';

type MailSettings = Pick<MainApiConfig, 'SMTP_URL' | 'LANDLORD_DATA_DIR' | 'MAIN_API_HOST'>;

/** The folder of the mails of an installation without a mail server. */
export const mailFolder = ({ LANDLORD_DATA_DIR }: Pick<MainApiConfig, 'LANDLORD_DATA_DIR'>): string =>
  join(LANDLORD_DATA_DIR, 'mail');

/**
 * The absolute path of that folder, for a person at the machine itself. Null for other clients, who learn no paths, and with a
 * mail server.
 */
export function shownMailFolder(settings: MailSettings, isFromThisMachine: boolean): string | null {
  const isShown = settings.SMTP_URL === undefined && isLoopbackHost(settings.MAIN_API_HOST) && isFromThisMachine;
  return isShown ? resolve(mailFolder(settings)) : null;
}
