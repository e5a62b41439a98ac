import { randomUUID } from 'node:crypto';
import { eventually, TestCloud, type ApiAnswer } from '@libs/testing';
import pg from 'pg';

/** Longer than the time limit of a statement, 15 s. */
const LOCKED_MS = 17_000;
const SUITE_MS = 5 * 60_000;
const CUTS = 20;

/** An answer that a client may repeat, because the server cannot do its work now. */
function isOutage({ status, body, headers }: ApiAnswer): boolean {
  const isKnown = status === 503 && ['service_busy', 'provider_unavailable'].includes(body?.code);
  return isKnown && body.retryable === true && Number(headers.get('retry-after')) >= 1;
}

/** A repeat under its key, while the first attempt still runs at the server. */
const isRunning = ({ body }: ApiAnswer): boolean => body?.code === 'idempotent_request_in_progress';

/** What clients got during a fault. */
class Answers {
  served = 0;
  /** What was refused because of the fault. */
  readonly outages: string[] = [];
  private readonly wrong: string[] = [];

  take(what: string, answer: ApiAnswer): void {
    if (answer.status < 400) this.served += 1;
    else if (isOutage(answer)) this.outages.push(what);
    else if (!isRunning(answer)) this.wrong.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  expectOnlyOutages(): void {
    expect(this.wrong).toEqual([]);
  }
}

describe('While the database is away, cut or locked', () => {
  let cloud: TestCloud;
  let admin: pg.Client;
  let pids: number[];
  /** Names that were sent with a key, and the ids of the answers. */
  const created = new Map<string, string>();

  beforeAll(async () => {
    cloud = await TestCloud.start({ ownDatabase: true, env: { RATE_LIMIT: 'off' } });
    pids = [cloud.mainApi.pid, cloud.supervisor.pid];
    admin = await connectAdmin();
  }, SUITE_MS);
  afterAll(async () => {
    await admin.end().catch(() => undefined);
    await cloud.stop();
  }, SUITE_MS);

  async function connectAdmin(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: cloud.database.url, application_name: 'admin-of-the-test' });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** What the apps logged about requests with an unexpected error. */
  const defects = (): string[] =>
    [cloud.mainApi, cloud.supervisor].flatMap((app) =>
      app
        .log()
        .split('\n')
        .filter((line) => /"level":(50|60)/.test(line) && !line.includes('"context":"Readiness"')),
    );

  /** Sends requests without a pause until `until` settles. A connection that breaks fails the test. */
  async function load<T>(until: Promise<T>): Promise<Answers> {
    const answers = new Answers();
    const state = { isOver: false };
    void until.finally(() => (state.isOver = true)).catch(() => undefined);
    const repeat = async (what: string, send: () => Promise<ApiAnswer>): Promise<void> => {
      while (!state.isOver) answers.take(what, await send());
    };
    await Promise.all([
      ...[1, 2, 3].map(() => repeat('read', () => cloud.main().get(`${cloud.tenant}/divisions`))),
      repeat('page of the console', () => cloud.main(null).get('/console/')),
      repeat('read of the Supervisor', () => cloud.runtime().get('/deployments/1').then(foundOrMissing)),
      ...[1, 2].map(() => repeat('write with a key', createWithKey)),
      repeat('write without a key', () =>
        cloud.main().put(cloud.division, { name: 'Default', description: randomUUID() }),
      ),
      repeat('readiness', () => cloud.main(null).get('/health/ready')),
      until,
    ]);
    return answers;
  }

  /** No deployment has this id: the answer of a database that works. */
  const foundOrMissing = (answer: ApiAnswer): ApiAnswer =>
    answer.body?.code === 'deployment_not_found' ? { ...answer, status: 200 } : answer;

  /** Repeats under the same key, as clients do, until it is answered. */
  async function createWithKey(): Promise<ApiAnswer> {
    const [name, key] = [`n ${randomUUID()}`, randomUUID()];
    const headers = { 'idempotency-key': key };
    for (;;) {
      const answer = await cloud.main().post(`${cloud.tenant}/divisions`, { name }, headers);
      if (answer.status === 201) {
        created.set(name, String(answer.body.id));
        await cloud.main().delete(`${cloud.tenant}/divisions/${answer.body.id}`);
        return answer;
      }
      if (answer.status !== 503 && answer.body?.code !== 'idempotent_request_in_progress') return answer;
      answersOfRepeats.take('repeat', answer);
    }
  }
  const answersOfRepeats = new Answers();

  it(
    'answers no 500 when every connection is cut, and hides most cuts',
    async () => {
      const cut = async (): Promise<void> => {
        for (let round = 0; round < CUTS; round += 1) {
          const { rows } = await admin.query(
            `select pid, pg_terminate_backend(pid) from pg_stat_activity where application_name like 'landlord-%'`,
          );
          expect(rows.length).toBeGreaterThan(0);
          await eventually('both apps are connected again', async () => {
            const { rowCount } = await admin.query(
              `select distinct application_name from pg_stat_activity where application_name in ('landlord-main-api', 'landlord-supervisor')
              and pid <> all($1)`,
              [rows.map(({ pid }) => pid)],
            );
            return rowCount === 2;
          });
        }
      };

      const answers = await load(cut());

      expect(defects()).toEqual([]);
      answers.expectOnlyOutages();
      expect(answers.served).toBeGreaterThan(50);
      // Each cut meets several requests. Those that the server may try again are served by the second attempt.
      const visible = answers.outages.filter((what) => !['write without a key', 'readiness'].includes(what));
      expect(visible.length < CUTS / 2 ? [] : visible).toEqual([]);
    },
    SUITE_MS,
  );

  it(
    'answers no 500 when PostgreSQL crashes and recovers',
    async () => {
      const answers = await load(cloud.crashDatabase());

      answers.expectOnlyOutages();
      admin = await connectAdmin();
      await eventually('it is ready', async () => (await cloud.main(null).get('/health/ready')).status === 200);
      await eventually('it is ready', async () => (await cloud.runtime(null).get('/health/ready')).status === 200);
    },
    SUITE_MS,
  );

  it(
    'answers no 500 while a hot table is locked for longer than a statement may take',
    async () => {
      await admin.query('begin; lock table divisions in access exclusive mode');
      const unlocked = admin.query('select pg_sleep($1)', [LOCKED_MS / 1000]).then(() => admin.query('rollback'));

      const answers = await load(unlocked);

      answers.expectOnlyOutages();
      expect(answers.outages.length).toBeGreaterThan(0);
    },
    SUITE_MS,
  );

  it('has done each write with a key exactly once', async () => {
    answersOfRepeats.expectOnlyOutages();
    const rows = await cloud.rows<{ name: string; id: string; copies: number }>(
      `select name, min(id)::text as id, count(*)::int as copies from divisions where name like 'n %' group by name`,
    );

    const stored = new Map(rows.map(({ name, id }) => [name, id]));
    expect(rows.filter(({ copies }) => copies > 1)).toEqual([]);
    expect([...created].filter(([name, id]) => stored.get(name) !== id)).toEqual([]);
    expect(created.size).toBeGreaterThan(5);
  });

  it('ends no process, and tells the operator once instead of once for each request', async () => {
    expect([cloud.mainApi.pid, cloud.supervisor.pid]).toEqual(pids);
    expect([cloud.mainApi.isRunning, cloud.supervisor.isRunning]).toEqual([true, true]);
    for (const app of [cloud.mainApi, cloud.supervisor]) {
      const warnings = app
        .log()
        .split('\n')
        .filter((line) => line.includes('request could not be served') && /"level":(40|50|60)/.test(line));
      expect(warnings.length).toBeLessThan(6);
    }
  });
});
