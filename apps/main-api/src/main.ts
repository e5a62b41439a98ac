import 'reflect-metadata';
import { configuredLimits } from '@libs/domain/connection-settings';
import { readTls } from '@libs/domain/settings';
import { listenFailed, outliveOutages, requireListeners } from '@libs/domain/starts';
import { createApp, endStart, PinoLogger, serveDocs } from '@libs/http';
import { checkAppStart } from './platform/index.js';
import { apiListener, readConfig } from './config.js';
import { API_DESCRIPTION, API_PARTS } from './docs/api-description.js';
import { MainApiModule } from './main-api.module.js';

try {
  const config = readConfig();
  const logger = new PinoLogger({ level: config.LOG_LEVEL, app: 'main-api' });
  outliveOutages((err) => logger.warn({ err }, 'a failure of the database or the disk reached no caller', 'Process'));
  const listener = apiListener(config);
  // Before the framework starts: a start that cannot succeed must begin no work, and end with one message.
  await requireListeners([listener]);
  for (const warning of await checkAppStart(config)) logger.warn(warning, 'Boot');
  const tls = readTls(config);
  const connections = configuredLimits('main-api', { ...config, hasTls: tls !== undefined });
  const options = { logger, listener: 'main-api', connections, trustedProxies: config.TRUSTED_PROXIES, tls } as const;
  const app = await createApp(MainApiModule.forRoot(config), options);
  const url = config.LANDLORD_PUBLIC_URL ?? `http://127.0.0.1:${config.MAIN_API_PORT}`;
  // Without a public address, the docs send their requests to their own origin.
  serveDocs(app, { ...API_DESCRIPTION, url: config.LANDLORD_PUBLIC_URL ?? '/' }, API_PARTS);
  await app.listen(config.MAIN_API_PORT, config.MAIN_API_HOST).catch((error: unknown) => listenFailed(listener, error));
  logger.log({ url, docs: `${url}/docs` }, 'main API listens', 'Boot');
} catch (error) {
  endStart(error);
}
