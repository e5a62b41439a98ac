// The real Supervisor with another cloud, and the normal settings of the app.
import 'reflect-metadata';
import { readConfig } from '../../../dist/apps/supervisor/src/config.js';
import { CloudProviders, PlatformModule } from '../../../dist/apps/supervisor/src/platform/index.js';
import { SupervisorModule } from '../../../dist/apps/supervisor/src/supervisor.module.js';
import { createApp, PinoLogger } from '../../../dist/libs/http/src/index.js';

/** `cloudOf` makes the cloud from the settings of the app. */
export async function serveSupervisor(cloudOf) {
  const config = readConfig();
  const cloud = cloudOf(config);
  const supervisor = SupervisorModule.forRoot(config);
  const platform = supervisor.imports.find(({ module }) => module === PlatformModule);
  const clouds = platform.providers.find(({ provide }) => provide === CloudProviders);
  delete clouds.inject;
  clouds.useFactory = () => new CloudProviders(new Map(['aws', 'gcp'].map((name) => [name, cloud])));
  const logger = new PinoLogger({ level: config.LOG_LEVEL, app: 'supervisor' });
  const app = await createApp(supervisor, { logger, trustedProxies: config.TRUSTED_PROXIES });
  await app.listen(config.SUPERVISOR_PORT, config.SUPERVISOR_HOST);
}
