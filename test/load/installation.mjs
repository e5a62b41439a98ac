// Two main APIs and two Supervisors over one PostgreSQL, and the cloud process.
import { compile } from '../bench/compile.mjs';
import { freePort } from '../bench/free-port.mjs';

const COPIES = [1, 2];

/** Starts all processes. Each app has `name`, `url`, `child`, and `start()`, which starts a new process at the same port. */
export async function startInstallation(world, processes) {
  compile('libs/testing/src/fake-cloud.ts');
  const ports = { CLOUD_PORT: await freePort(), BALANCER_PORT: await freePort() };
  const gateways = await freePorts();
  const cloudUrl = `http://127.0.0.1:${ports.CLOUD_PORT}`;
  const cloudSettings = asText({ ...ports, GATEWAY_PORTS: gateways.join(',') });
  await processes.start('test/load/cloud/cloud-process.mjs', cloudSettings, cloudUrl);

  const mainApis = (await freePorts()).map((port, index) => ({
    name: `main API ${COPIES[index]}`,
    entry: 'dist/apps/main-api/src/main.js',
    port,
    settings: {
      DATABASE_URL: world.installation.role_urls.main_api,
      MAIN_API_PORT: port,
      FREE_DEPLOYMENTS_PER_USER: 1_000_000,
    },
  }));
  const supervisors = (await freePorts()).map((port, index) => ({
    name: `Supervisor ${COPIES[index]}`,
    entry: 'test/load/cloud/supervisor.mjs',
    port,
    settings: {
      DATABASE_URL: world.installation.role_urls.supervisor,
      CLOUD_PORT: ports.CLOUD_PORT,
      SUPERVISOR_PORT: port,
      GATEWAY_PORT: gateways[index],
      AGENT_PUBLIC_URL: `http://127.0.0.1:${ports.BALANCER_PORT}`,
      LOCAL_BROKER: 'embedded',
    },
  }));
  const started = async (apps) => Promise.all(apps.map((app) => startApp(world, processes, app)));
  return { supervisors: await started(supervisors), mainApis: await started(mainApis) };
}

async function startApp(world, processes, { name, entry, port, settings }) {
  const url = `http://127.0.0.1:${port}`;
  const environment = asText({
    LANDLORD_SECRET_KEYS: world.secretKeys,
    LANDLORD_DATA_DIR: world.dataDir,
    LOG_LEVEL: 'warn',
    // Counted but never reached.
    RATE_LIMIT: 1_000_000,
    ...settings,
  });
  const app = { name, url, child: null };
  app.start = async () => {
    app.child = await processes.start(entry, environment, `${url}/health/ready`);
  };
  await app.start();
  return app;
}

async function freePorts() {
  const ports = [];
  for (const _ of COPIES) ports.push(await freePort());
  return ports;
}

const asText = (settings) => Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
