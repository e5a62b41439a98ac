import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePorts, TestCloud } from '@libs/testing';
import { LauncherProcess } from '../../test/launcher-process.js';
import { isDatabaseAlive, stopDatabase } from '../embedded-postgres/ensure-database.js';
import { findApps, findNodeProcesses } from '../processes/installation-processes.js';
import { until } from '@libs/host/os';

const LANDLORD = resolve('dist/libs/launcher/src/main.js');
const STEPS = ['creating_subnet', 'deploying_nodes', 'bootstrapping_agent', 'initialized', 'destroying_resources'];

describe('landlord demo', () => {
  const started: ChildProcess[] = [];
  const landlord = (verb: string, env: Record<string, string>): LauncherProcess => {
    const child = spawn(process.execPath, [LANDLORD, verb], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    started.push(child);
    return new LauncherProcess(child);
  };
  afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

  describe('with a running cloud', () => {
    let cloud: TestCloud;

    beforeAll(async () => {
      cloud = await TestCloud.start();
    });
    beforeEach(() => pointTo(cloud.mainApi.url));
    afterAll(() => cloud.stop());

    const pointTo = (mainApiUrl: string): void =>
      writeFileSync(
        join(cloud.directory, 'bootstrap.json'),
        JSON.stringify({
          main_api_url: mainApiUrl,
          supervisor_url: cloud.supervisor.url,
          tenant_id: cloud.installation.tenant_id,
          division_id: cloud.installation.division_id,
          environment_id: cloud.installation.environment_id,
          api_key: cloud.key,
        }),
      );
    const demo = (): LauncherProcess => landlord('demo', { LANDLORD_DATA_DIR: cloud.directory });
    const deployments = async (): Promise<number> =>
      (await cloud.main().get(`${cloud.environment}/deployments`)).body.total_results as number;

    it('creates a deployment, sends a message, deletes the deployment, and prints plain lines', async () => {
      const run = demo();
      const code = await run.ended();

      expect(`${code} ${run.output}`).toMatch(/^0 /);
      expect(run.output).toContain(`Using the running cloud at ${cloud.mainApi.url}`);
      for (const step of STEPS) expect(run.output).toMatch(new RegExp(`^ +${step} +\\d+\\.\\d\\d s$`, 'm'));
      expect(run.output).toMatch(/username +broker-\w+\n +password +\S{20,}/);
      expect(run.output).toMatch(/received +"Hello from Landlord" after \d+ ms/);
      expect(run.output.match(/404 deployment_not_found/g)).toHaveLength(2);
      expect(run.output).toMatch(
        /creating the deployment +\d.*\n.*sending a message +\d.*\n.*deleting the deployment +\d/,
      );
      // eslint-disable-next-line no-control-regex
      expect(run.output).not.toMatch(/[\r\u001b]/);
      expect(await deployments()).toBe(0);
      expect(await cloud.nodeProcesses()).toEqual([]);
      expect((await cloud.main().get('/health/ready')).status).toBe(200);
    });

    it('reports the refusal and what to do when the tenant is at its limit', async () => {
      const starter = { cloud: 'aws', region: 'us-east-1' };
      const { body: other } = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
      await cloud.main().get(`${cloud.tenant}/operations/${other.operation_id}?wait=50`);

      const run = demo();
      const code = await run.ended();

      expect(code).toBe(1);
      expect(run.output).toMatch(
        /returned 409\n[\s\S]*code +plan_limit_reached\n +detail +.*free.*\n +instance +[0-9a-f]{32}/,
      );
      expect(run.output).toContain(`curl -X DELETE '${cloud.mainApi.url}${cloud.environment}/deployments/<id>'`);
      expect(await deployments()).toBe(1);
      const { body } = await cloud.main().delete(`${cloud.environment}/deployments/${other.deployment_id}`);
      await cloud.main().get(`${cloud.tenant}/operations/${body.operation_id}?wait=50`);
    });

    it('reports the failure, and deletes what it created', async () => {
      const proxy = await FailingProxy.to(cloud.mainApi.url, /^\/tenants\/.*\/deployments\/\d+$/);
      pointTo(proxy.url);

      const run = demo();
      const code = await run.ended();
      proxy.close();

      expect(code).toBe(1);
      expect(run.output).toMatch(/GET \S+\/deployments\/\d+ returned 500/);
      expect(run.output).toMatch(/code +internal_error\n +detail +The proxy does not like you\n +instance +abc/);
      expect(run.output).toMatch(/Cleaning up[\s\S]*forgetting/);
      expect(await deployments()).toBe(0);
      expect(await cloud.nodeProcesses()).toEqual([]);
    });
  });

  describe('without a running cloud', () => {
    let place: { directory: string; env: Record<string, string> };

    beforeEach(async () => {
      const directory = mkdtempSync(join(tmpdir(), 'landlord-demo-'));
      const [main, supervisor, gateway] = await freePorts(3);
      // Below the ephemeral ports, and separate from the ports of the test clouds.
      const node = 29_000 + 10 * randomInt(90);
      const env = {
        PATH: process.env['PATH'] ?? '',
        LANDLORD_DATA_DIR: directory,
        MAIN_API_PORT: String(main),
        SUPERVISOR_PORT: String(supervisor),
        GATEWAY_PORT: String(gateway),
        LOCAL_PORT_RANGE: `${node}-${node + 9}`,
      };
      place = { directory, env };
    });
    afterEach(async () => {
      for (const pid of await survivors()) process.kill(pid, 'SIGKILL');
      await stopDatabase({ dataDir: place.directory, times: { fastMs: 3_000, immediateMs: 3_000 } });
      rmSync(place.directory, { recursive: true, force: true });
    });

    const survivors = async (): Promise<number[]> => {
      const file = join(place.directory, 'installation');
      if (!existsSync(file)) return [];
      const installation = readFileSync(file, 'utf8').trim();
      return [...(await findApps(installation)), ...(await findNodeProcesses(installation))];
    };

    it('starts a cloud and stops it again', async () => {
      const run = landlord('demo', place.env);
      const code = await run.ended();

      expect(`${code} ${run.output}`).toMatch(/^0 /);
      expect(run.output).toContain(`No cloud runs with ${place.directory}`);
      expect(run.output).toMatch(/received +"Hello from Landlord"/);
      expect(run.output).toMatch(/starting the cloud +\d+\.\d\d s/);
      expect(await survivors()).toEqual([]);
      expect(readdirSync(join(place.directory, 'nodes'))).toEqual([]);
      expect(isDatabaseAlive(place.directory)).toBe(false);
    });

    it('waits for a cloud that is starting, and leaves it running', async () => {
      const start = landlord('start', place.env);
      await until(() => existsSync(join(place.directory, 'launcher.lock')), { timeoutMs: 20_000 });

      const run = landlord('demo', place.env);
      const code = await run.ended();

      expect(`${code} ${run.output}`).toMatch(/^0 \nWaiting for the cloud that is starting/);
      expect(run.output).toMatch(/received +"Hello from Landlord"/);
      expect(await findApps(readFileSync(join(place.directory, 'installation'), 'utf8').trim())).toHaveLength(2);
      start.kill('SIGTERM');
      expect(await start.ended()).toBe(0);
    });

    it('detects that another cloud now has the stored address', async () => {
      const other = createServer((incoming, answer) => {
        answer.writeHead(incoming.url === '/health/ready' ? 200 : 401).end();
      });
      await once(other.listen(0, '127.0.0.1'), 'listening');
      const { port } = other.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}`;
      const bootstrap = { main_api_url: url, supervisor_url: url, tenant_id: 1, division_id: 1, api_key: 'ld_a_b_c' };
      writeFileSync(join(place.directory, 'bootstrap.json'), JSON.stringify(bootstrap));

      const run = landlord('demo', { ...place.env, MAIN_API_PORT: String(port) });
      const code = await run.ended();
      other.close();

      expect(code).toBe(75);
      expect(run.output).toContain(`Port ${port} for the main API (MAIN_API_PORT) is in use`);
      expect(isDatabaseAlive(place.directory)).toBe(false);
    });

    it('stops everything when it is interrupted during the start', async () => {
      const run = landlord('demo', place.env);
      await until(() => isDatabaseAlive(place.directory), { timeoutMs: 20_000 });

      run.kill('SIGTERM');
      const code = await run.ended();

      expect(code).toBe(1);
      expect(run.output).toContain('The demo was interrupted');
      expect(await survivors()).toEqual([]);
      expect(isDatabaseAlive(place.directory)).toBe(false);
    });
  });
});

/** A proxy in front of the main API that refuses matching requests and forwards all others. */
class FailingProxy {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async to(target: string, refused: RegExp): Promise<FailingProxy> {
    const problem = { title: 'Broken', code: 'internal_error', detail: 'The proxy does not like you', instance: 'abc' };
    const server = createServer((incoming, outgoing) => {
      if (incoming.method === 'GET' && refused.test(incoming.url ?? '')) {
        outgoing.writeHead(500, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
        return;
      }
      const { method = 'GET', headers } = incoming;
      const passed = request(`${target}${incoming.url}`, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new FailingProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
