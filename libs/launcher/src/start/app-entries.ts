import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LauncherError } from '../launcher-error.js';

export const APP_NAMES = ['main-api', 'supervisor'] as const;
export type AppName = (typeof APP_NAMES)[number];

/** The compiled entry file of an app. Apps and launcher are built into one tree. Throws LauncherError when it is not built. */
export function appEntry(name: AppName): string {
  const entry = fileURLToPath(new URL(`../../../../apps/${name}/src/main.js`, import.meta.url));
  if (!existsSync(entry)) throw new LauncherError(`${entry} does not exist. Build Landlord first: npm run build`);
  return entry;
}

/** The address of the bundle with the settings of an app. Throws LauncherError when the app is not built. */
export const appSettings = (name: AppName): string => new URL('settings.js', pathToFileURL(appEntry(name))).href;
