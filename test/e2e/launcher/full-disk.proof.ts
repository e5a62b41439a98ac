import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, SmallDisk, type ApiAnswer } from '@libs/testing';
import { MqttTraffic } from './mqtt-traffic.fixture.js';
import { commandOf, RunningLandlord } from './running-landlord.fixture.js';

/** Room for PostgreSQL, and for a log and its copy before the disk is full. */
const DISK_MIB = 500;
const LOG_LIMIT_BYTES = 32 * 1024 * 1024;
const SETUP_MS = 5 * 60_000;
/** Larger than the free pages of the tables, so that PostgreSQL needs new space. */
const DESCRIPTION = 'x'.repeat(450);

const describeOnSmallDisk = await SmallDisk.describe();

/** Every process of `landlord start`, on one disk that is filled to the last byte. */
describeOnSmallDisk('An installation whose disk is full', () => {
  let disk: SmallDisk;
  let landlord: RunningLandlord;
  let traffic: MqttTraffic;
  let before: number[];

  const path = (name: string): string => landlord.path(name);
  const environments = (): string => {
    const { tenant_id: tenant, division_id: division } = landlord.bootstrap;
    return `/tenants/${tenant}/divisions/${division}/environments`;
  };

  beforeAll(async () => {
    disk = await SmallDisk.mount(DISK_MIB);
    landlord = await RunningLandlord.start({ dataDirectory: join(disk.directory, 'data'), broker: 'embedded' });
    const { endpoints, login } = await landlord.createDeployment();
    traffic = await MqttTraffic.start(endpoints, login);
    await traffic.flows();
    before = await landlord.processes();
  }, SETUP_MS);
  afterAll(async () => {
    await disk.free();
    await traffic?.stop();
    await landlord.stop();
    await disk.unmount();
  }, SETUP_MS);

  let written = 0;
  /** Each change needs a new version of a row. */
  const write = (): Promise<ApiAnswer> =>
    landlord.main.put(`${environments()}/${landlord.bootstrap.environment_id}`, {
      name: 'sandbox',
      description: `${(written += 1)} ${DESCRIPTION}`,
    });

  it('loses no process, although a log has to be rotated and PostgreSQL restarts itself', async () => {
    appendFileSync(path('logs/main-api.log'), `${'x'.repeat(1023)}\n`.repeat(33 * 1024));
    await disk.fill();

    await eventually('the log is rotated', () => statSync(path('logs/main-api.log')).size < LOG_LIMIT_BYTES);
    await disk.fill();
    for (const api of [landlord.main, landlord.runtime])
      await eventually('it is not ready', async () => (await api.get('/health/ready')).status === 503);
    expect((await landlord.main.get('/health/ready')).body).toMatchObject({
      code: 'storage_full',
      retryable: true,
      detail: expect.stringContaining('the disk of the data directory is full'),
    });
    expect((await landlord.main.get('/health/ready')).body.detail).not.toContain(disk.directory);
    expect(await landlord.processes()).toEqual(before);
    expect(landlord.output).not.toContain('Stopping');
  });

  it('refuses what it cannot store, and says that the client may repeat it', async () => {
    const refused = await eventually('a write needs space', async () =>
      (await Promise.all(Array.from({ length: 10 }, () => write()))).find(({ status }) => status !== 204),
    );

    expect(refused).toBeProblem('storage_full', { status: 503, retryable: true });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await landlord.main.get(environments())).status).toBe(200);
    crashBackend();
    await eventually('PostgreSQL has noticed', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => write()));
      for (const { status, body } of answers.filter(({ status }) => status !== 204))
        expect([status, body.code, body.retryable]).toEqual([
          503,
          expect.stringMatching(/^(storage_full|service_busy)$/),
          true,
        ]);
      return answers.some(({ body }) => body?.code === 'service_busy');
    });
    expect(await landlord.processes()).toEqual(before);
    expect(landlord.output).not.toContain('request failed');
    expect(landlord.output.split('request could not be served').length).toBeLessThan(10);
  });

  it('serves clients of the broker meanwhile, and continues by itself when there is space', async () => {
    expect(traffic.interruptions).toEqual([]);
    await disk.free();

    for (const api of [landlord.main, landlord.runtime])
      await eventually('it is ready', async () => (await api.get('/health/ready')).status === 200);
    await eventually('it stores again', async () => (await write()).status === 204);
    await traffic.flows();

    expect(await landlord.processes()).toEqual(before);
    expect(await traffic.missing()).toEqual([[]]);
    expect(landlord.output).not.toContain('stopped (');
  });

  /** PostgreSQL ends all connections and recovers when one of its processes dies. */
  function crashBackend(): void {
    const backend = readdirSync('/proc').find((pid) => {
      return /^\d+$/.test(pid) && commandOf(pid).startsWith('postgres: landlord_supervisor') && isOurs(pid);
    });
    process.kill(Number(backend), 'SIGKILL');
  }

  /** The parent is the postmaster of this data directory. */
  function isOurs(pid: string): boolean {
    const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
    return commandOf(parent).includes(path('postgres'));
  }
});
