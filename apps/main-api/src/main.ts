import 'reflect-metadata';
import { ConfigInvalid, readTls } from '@libs/domain/settings';
import { createApp, describeApi, PinoLogger, serveDocs } from '@libs/http';
import { readConfig } from './config.js';
import { API_DESCRIPTION, API_PARTS } from './docs/api-description.js';
import { MainApiModule } from './main-api.module.js';

try {
  const config = readConfig();
  const logger = new PinoLogger({ level: config.LOG_LEVEL, app: 'main-api' });
  const options = { logger, trustedProxies: config.TRUSTED_PROXIES, tls: readTls(config) };
  const app = await createApp(MainApiModule.forRoot(config), options);
  const url = config.LANDLORD_PUBLIC_URL ?? `http://127.0.0.1:${config.MAIN_API_PORT}`;
  // Without a public address, the docs send their requests to their own origin.
  serveDocs(app, describeApi(app, { ...API_DESCRIPTION, url: config.LANDLORD_PUBLIC_URL ?? '/' }), API_PARTS);
  await app.listen(config.MAIN_API_PORT, config.MAIN_API_HOST);
  logger.log({ url, docs: `${url}/docs` }, 'main API listens', 'Boot');
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigInvalid ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}
