import { createApp, PinoLogger } from '@libs/http';
import type { INestApplication } from '@nestjs/common';
import type { MainApiConfig } from '../../../apps/main-api/src/config.js';
import { MainApiModule } from '../../../apps/main-api/src/main-api.module.js';
import type { SupervisorConfig } from '../../../apps/supervisor/src/config.js';
import { SupervisorModule } from '../../../apps/supervisor/src/supervisor.module.js';

/** The database of an app in a test. */
export interface AppDatabase {
  url: string;
  secretKeys: string;
}

const settingsOf = ({ url, secretKeys }: AppDatabase) => ({
  DATABASE_URL: url,
  LANDLORD_SECRET_KEYS: secretKeys,
  // No background work runs in addition to the requests.
  LANDLORD_ROLE: 'api' as const,
  QUEUE_URL: 'off',
  LANDLORD_DATA_DIR: '.landlord',
  MAIN_API_PORT: 0,
  TRUSTED_PROXIES: [],
  BASE_DOMAIN: 'model.local',
  LANDLORD_DNS: 'local' as const,
  SHUTDOWN_DRAIN_SECONDS: 0,
  ALLOW_PRIVATE_DESTINATIONS: false,
  RATE_LIMIT: null,
  LOG_LEVEL: 'silent' as const,
});

/** Starts the main API in this process with its own socket; `getUrl` returns its address. */
export async function startMainApi(
  database: AppDatabase,
  settings: Partial<MainApiConfig> = {},
): Promise<INestApplication> {
  const config: MainApiConfig = {
    ...settingsOf(database),
    MAIN_API_HOST: '127.0.0.1',
    MAIN_API_ON_LOOPBACK_OF_HOST: false,
    INVOICE_AGREEMENTS: 'operator',
    FREE_DEPLOYMENTS_PER_USER: 2,
    UPGRADE_COOLDOWN_SECONDS: 900,
    BILLING_CLOSES_AFTER_HOURS: 24,
    INVOICE_DUE_DAYS: 30,
    INVOICE_ISSUER: 'Landlord',
    SESSION_HOURS: 12,
    BYOC_AWS_ACCOUNT_ID: '000000000000',
    BYOC_GCP_SERVICE_ACCOUNT: 'landlord@model.iam.gserviceaccount.com',
    ...settings,
  };
  return listening(await createApp(MainApiModule.forRoot(config), silent('main-api', config.TRUSTED_PROXIES)));
}

/** Starts a Supervisor in this process, also with its own socket, without workers and gateway. */
export async function startSupervisor(database: AppDatabase): Promise<INestApplication> {
  const config: SupervisorConfig = {
    ...settingsOf(database),
    BYOC_AWS_ACCOUNT_ID: '000000000000',
    BYOC_GCP_SERVICE_ACCOUNT: 'landlord@model.iam.gserviceaccount.com',
    SUPERVISOR_PORT: 0,
    SUPERVISOR_HOST: '127.0.0.1',
    GATEWAY_PORT: 0,
    GATEWAY_HOST: '127.0.0.1',
    ALERT_HIGH_PERCENT: 90,
    ALERT_RESOLVED_PERCENT: 80,
    ALERT_SAMPLES: 3,
    SUPERVISOR_CELL: 'local',
    SUPERVISOR_REGIONS: ['*'],
    SUPERVISOR_PUBLIC_URL: 'http://127.0.0.1:4000',
    AGENT_PUBLIC_URL: 'http://127.0.0.1:4001',
    LANDLORD_PROVIDER_AWS: 'local',
    LANDLORD_PROVIDER_GCP: 'local',
    AWS_IMAGE: 'ami-00000000',
    AWS_PROCESSORS: ['x64'],
    GCP_IMAGE: 'ubuntu-os-cloud/ubuntu-2404-lts-{processor}',
    GCP_PROCESSORS: ['x64'],
    LOCAL_PORT_RANGE: [20_000, 29_999],
    LOCAL_BIND_ADDRESS: '127.0.0.1',
    NODE_UNREACHABLE_SECONDS: 120,
    LOCAL_BROKER: 'embedded',
    IGGY_UNPROVEN_RELEASES: false,
    searchPath: '',
  };
  return listening(await createApp(SupervisorModule.forRoot(config), silent('supervisor')));
}

const silent = (app: 'main-api' | 'supervisor', trustedProxies: readonly string[] = []) => ({
  logger: new PinoLogger({ level: 'silent', app }),
  listener: app === 'supervisor' ? ('supervisor-api' as const) : app,
  trustedProxies,
});

async function listening(app: INestApplication): Promise<INestApplication> {
  await app.listen(0, '127.0.0.1');
  return app;
}
