import { parseSettings, portSetting, secondsSetting, SHARED_SETTINGS } from '@libs/domain/settings';
import { z } from 'zod';

const schema = z.object({
  ...SHARED_SETTINGS,
  LANDLORD_ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  MAIN_API_PORT: portSetting.default(3000),
  MAIN_API_HOST: z.string().default('127.0.0.1'),
  UPGRADE_COOLDOWN_SECONDS: secondsSetting.default(900),
});

/** Settings of the main API, read once at boot. */
export type MainApiConfig = z.output<typeof schema>;

/** @throws ConfigInvalid naming every problem. */
export const readConfig = (): MainApiConfig => parseSettings(schema, process.env);

/** Token of the settings. */
export const MAIN_API_CONFIG = Symbol('main-api.config');
