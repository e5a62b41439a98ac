import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import {
  ApiClient,
  DatabaseProxy,
  eventually,
  TestCloud,
  type ApiAnswer,
  type AppProcess,
  type ProxyMode,
} from '@libs/testing';

/** Clock ticks of Linux in a second: the unit of /proc/<pid>/stat. */
const TICKS = 100;
const MOST_LOG_BYTES_A_MINUTE = 512 * 1024;
/** Of one core. A loop without a pause takes a whole core. */
const MOST_CPU = 0.35;
/** Connections of all loops and of the queue of one process. The incident had hundreds of thousands. */
const MOST_CONNECTIONS_A_SECOND = 60;
const MOST_EQUAL_LINES = 4;
const MINUTE_MS = 60_000;
/** The application names of connections. Those of the queue have none. */
const OF_THE_CHECKS = ['landlord-start'];
const OF_THE_POOLS = ['landlord-main-api', 'landlord-supervisor'];

const HOOK_MS = 200_000;
jest.setTimeout(400_000);

const cpuSeconds = ({ pid }: AppProcess): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
};

/** The warnings by all that a reader sees of them, but not by time and stack. With the number of each. */
function alarmsOf(log: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of log.split('\n').filter((text) => text.startsWith('{"level":40'))) {
    const record = JSON.parse(line) as { time: string; err?: { message?: string } };
    const key = JSON.stringify({ ...record, time: null, err: record.err?.message });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('A database that is away', () => {
  let cloud: TestCloud;
  let proxy: DatabaseProxy;
  let apps: AppProcess[];

  beforeAll(async () => {
    cloud = await TestCloud.start();
    proxy = await DatabaseProxy.start(cloud.database.url);
    // From now on only the apps behind the proxy work.
    await Promise.all([cloud.mainApi.stop(), cloud.supervisor.stop()]);
    apps = [
      await cloud.another('main-api', { DATABASE_URL: proxy.through(cloud.mainApiEnv['DATABASE_URL'] ?? '') }),
      await cloud.another('supervisor', { DATABASE_URL: proxy.through(cloud.supervisorEnv['DATABASE_URL'] ?? '') }),
    ];
  }, HOOK_MS);
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await proxy.stop();
    await cloud.stop();
  }, HOOK_MS);

  /** Measures the apps while the database is away. */
  async function expectCalm(outageMs: number): Promise<void> {
    const before = apps.map((app) => ({ log: app.log().length, cpu: cpuSeconds(app) }));
    await delay(outageMs);
    for (const [index, app] of apps.entries()) {
      const lines = app.log().slice(before[index]!.log);
      const bytes = lines.length;
      const equal = [...alarmsOf(lines)].filter(([, count]) => count > MOST_EQUAL_LINES);
      const cpu = (cpuSeconds(app) - before[index]!.cpu) / (outageMs / 1000);
      console.log(`${app.name}: ${bytes} bytes of log, ${cpu.toFixed(3)} of a core`);

      expect([app.name, app.isRunning]).toEqual([app.name, true]);
      expect(bytes).toBeLessThan((MOST_LOG_BYTES_A_MINUTE * outageMs) / MINUTE_MS + 65_536);
      expect([app.name, equal]).toEqual([app.name, []]);
      expect(cpu).toBeLessThan(MOST_CPU);
    }
    console.log(`${proxy.refusals} connections in ${outageMs / 1000} s`);
    expect(proxy.refusals).toBeLessThan((apps.length * MOST_CONNECTIONS_A_SECOND * outageMs) / 1000);
  }

  /** An operation that is moved by a wake-up of the queue alone: it runs before the next look at the rows. */
  async function expectWork(): Promise<void> {
    await eventually(
      'both apps are ready within ten seconds of the database',
      async () => {
        const answers = await Promise.all(apps.map(({ url }) => fetch(`${url}/health/ready`).catch(() => null)));
        return answers.every((answer) => answer?.status === 200);
      },
      10_000,
    );
    const main = new ApiClient(apps[0]!.url, cloud.key);
    // The Supervisor may have been silent for longer than a living one.
    const order = await eventually(
      'orders are taken within ten seconds',
      async () => {
        const answer = await main.post(`${cloud.division}/deployments/starter`, { cloud: 'aws', region: 'us-east-1' });
        return answer.body.code === 'provider_unavailable' ? undefined : answer;
      },
      10_000,
    );
    await expectSuccess(main, order);
    const id = order.headers.get('ld-deployment');
    await expectSuccess(main, await main.delete(`${cloud.environment}/deployments/${id}`));
  }

  async function expectSuccess(main: ApiClient, accepted: ApiAnswer): Promise<void> {
    expect(accepted).toMatchObject({ status: 202 });
    const operation = accepted.headers.get('ld-operation');
    await eventually('the operation succeeds', async () => {
      const { body } = await main.get(`${cloud.tenant}/operations/${operation}?wait=5`);
      return body.status === 'succeeded';
    });
  }

  const MODES: readonly ProxyMode[] = ['57P03', '08006', 'cut', 'silent'];

  it('from the first connection of the apps: they wait for a minute, and then work', async () => {
    proxy.exempt = OF_THE_CHECKS;
    proxy.become('53300');
    const started = Promise.all(apps.map((app) => app.start()));
    await expectCalm(MINUTE_MS);
    proxy.become('open');
    await started;

    await expectWork();
  });

  it('for the queue and the notifications of apps that start: they work ten seconds after it answers', async () => {
    await Promise.all(apps.map((app) => app.stop()));
    proxy.exempt = [...OF_THE_CHECKS, ...OF_THE_POOLS];
    proxy.become('53300');
    await Promise.all(apps.map((app) => app.start()));
    await expectCalm(MINUTE_MS);
    proxy.become('open');

    await expectWork();
  });

  it('for a minute in the middle: every loop rests, and works again', async () => {
    proxy.exempt = [];
    proxy.become('53300');
    await expectCalm(MINUTE_MS);
    proxy.become('open');

    await expectWork();
  });

  it.each(MODES)('in the middle (%s)', async (mode) => {
    proxy.become(mode);
    await expectCalm(MINUTE_MS / 4);
    proxy.become('open');

    await expectWork();
  });

  it('that no longer answers on its open connections', async () => {
    proxy.freeze();
    await expectCalm(MINUTE_MS / 2);
    proxy.become('open');

    await expectWork();
  });
});
