import type { ApiAnswer } from '@libs/testing';
import { TestSupervisor } from '../test/test-supervisor.fixture.js';

const ROWS = 7;

/** Rows that differ by microseconds, and rows of the same time. */
const INSERTS: Record<string, string> = {
  logs: `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
         select $1, $2, date_trunc('second', now()) - interval '10 seconds' + (n / 2) * interval '1 microsecond', 'broker', 'info', 'line ' || n
           from generate_series(1, $3) n`,
  heartbeats: `insert into node_heartbeats (deployment_id, node_id, minute, beats, last_at, status, agent_version)
               select $1, $2, minute, 1, minute, 'running', '1'
                 from generate_series(1, $3) n, lateral (select date_trunc('minute', now()) - n * interval '1 minute' as minute) m`,
};

describe('A list of a Supervisor', () => {
  let cloud: TestSupervisor;
  let path: string;
  let deploymentId: number;
  let nodeId: number;
  beforeAll(async () => {
    cloud = await TestSupervisor.open();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    ({ path, deploymentId, nodeId } = await cloud.deployment());
  });

  const nextOf = ({ headers }: ApiAnswer): string | undefined =>
    /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

  it.each(Object.keys(INSERTS))('of %s shows each row of a walk once, while others arrive', async (name) => {
    const insert = (count: number) => cloud.rows(INSERTS[name] ?? '', [deploymentId, nodeId, count]);
    await insert(ROWS);
    const before = (await cloud.runtime().get(`${path}/${name}?results=100`)).body.items as object[];
    expect(before).toHaveLength(ROWS);

    const items: object[] = [];
    let next: string | undefined = `${path}/${name}?results=2`;
    while (next !== undefined) {
      const answer: ApiAnswer = await cloud.runtime().get(next);
      expect([answer.status, answer.body.total_results >= ROWS]).toEqual([200, true]);
      items.push(...(answer.body.items as object[]));
      next = nextOf(answer);
      if (name === 'logs') await insert(1);
    }

    const texts = items.map((item) => JSON.stringify(item));
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => before.some((item) => JSON.stringify(item) === text))).toEqual(
      before.map((item) => JSON.stringify(item)),
    );
  });

  it.each(['activities', 'snapshots', 'heartbeats', 'logs'])('of %s is read from any place', async (name) => {
    const answers = await Promise.all(
      [cursor(null, 5), cursor(Date.now() * 1_000, 5)].map((text) =>
        cloud.runtime().get(`${path}/${name}?cursor=${text}`),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await cloud.runtime().get(`${path}/${name}?cursor=${cursor('x', 5)}`)).toBeProblem('validation_failed');
  });

  it.each(['created_at', '-created_at'])('of activities and snapshots has the order %s', async (sort) => {
    for (const name of ['activities', 'snapshots'])
      for (const query of [`sort=${sort}`, `sort=${sort}&cursor=${cursor(Date.now() * 1_000, 1)}`])
        expect([name, query, (await cloud.runtime().get(`${path}/${name}?${query}`)).status]).toEqual([
          name,
          query,
          200,
        ]);
  });

  it('of activities is filtered by program, status and node', async () => {
    expect((await cloud.runtime().post(`${path}/activities/broker/restart`)).status).toBe(202);
    const totalOf = async (query: string): Promise<number> =>
      (await cloud.runtime().get(`${path}/activities?${query}`)).body.total_results;

    expect(await totalOf(`runtime=broker&status=processing&node=${nodeId}`)).toBe(1);
    for (const query of ['runtime=connectors', 'status=completed', `node=${nodeId + 1}`])
      expect(await totalOf(query)).toBe(0);
  });
});

const cursor = (value: unknown, id: number): string => Buffer.from(JSON.stringify([value, id])).toString('base64url');
