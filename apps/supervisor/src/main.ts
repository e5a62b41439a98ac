import 'reflect-metadata';
import { configuredLimits } from '@libs/domain/connection-settings';
import { readTls } from '@libs/domain/settings';
import { isLaunched, listenFailed, outliveOutages, requireListeners } from '@libs/domain/starts';
import { createApp, endStart, PinoLogger, serveDocs } from '@libs/http';
import { apiListener, gatewayListener, hasGateway, readConfig } from './config.js';
import { consoleOrigins } from './console-origins.js';
import { API_DESCRIPTION } from './docs/api-description.js';
import { checkAppStart, LocalBroker } from './platform/index.js';
import { SupervisorModule } from './supervisor.module.js';

try {
  const config = readConfig();
  const logger = new PinoLogger({ level: config.LOG_LEVEL, app: 'supervisor' });
  outliveOutages((err) => logger.warn({ err }, 'a failure of the database or the disk reached no caller', 'Process'));
  // Before the framework starts: a start that cannot succeed must begin no work, and end with one message.
  await LocalBroker.find(config);
  await requireListeners([apiListener(config), ...(hasGateway(config) ? [gatewayListener(config)] : [])]);
  for (const warning of await checkAppStart(config)) logger.warn(warning, 'Boot');
  const tls = readTls(config);
  const options = {
    ...({ logger, listener: 'supervisor-api' } as const),
    connections: configuredLimits('supervisor-api', { ...config, hasTls: tls !== undefined }),
    ...{ trustedProxies: config.TRUSTED_PROXIES, tls, origins: consoleOrigins(config, isLaunched()) },
  };
  const app = await createApp(SupervisorModule.forRoot(config), options);
  const url = config.SUPERVISOR_PUBLIC_URL;
  serveDocs(app, { ...API_DESCRIPTION, url });
  await app
    .listen(config.SUPERVISOR_PORT, config.SUPERVISOR_HOST)
    .catch((error: unknown) => listenFailed(apiListener(config), error));
  logger.log({ url, docs: `${url}/docs`, cell: config.SUPERVISOR_CELL }, 'supervisor listens', 'Boot');
} catch (error) {
  endStart(error);
}
