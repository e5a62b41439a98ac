import 'reflect-metadata';
import { ConfigInvalid, readTls } from '@libs/domain/settings';
import { createApp, describeApi, PinoLogger, serveDocs } from '@libs/http';
import { readConfig } from './config.js';
import { API_DESCRIPTION } from './docs/api-description.js';
import { LocalBroker } from './platform/index.js';
import { SupervisorModule } from './supervisor.module.js';

try {
  const config = readConfig();
  // Before the framework starts: a missing broker must stop the process with a message, not with a stack trace.
  await LocalBroker.find(config);
  const logger = new PinoLogger({ level: config.LOG_LEVEL, app: 'supervisor' });
  const options = { logger, trustedProxies: config.TRUSTED_PROXIES, tls: readTls(config) };
  const app = await createApp(SupervisorModule.forRoot(config), options);
  const url = config.SUPERVISOR_PUBLIC_URL;
  serveDocs(app, describeApi(app, { ...API_DESCRIPTION, url }));
  await app.listen(config.SUPERVISOR_PORT, config.SUPERVISOR_HOST);
  logger.log({ url, docs: `${url}/docs`, cell: config.SUPERVISOR_CELL }, 'supervisor listens', 'Boot');
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigInvalid ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}
