import { attackGateway, eventually, TestCloud, type PlayedNode } from '@libs/testing';
import { playedDeployment, playedNodes } from './played-nodes.js';

const SECONDS = Number(process.env['ATTACK_SECONDS'] ?? 60);
const SEED = Number(process.env['ATTACK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** One minute of arbitrary requests from nodes with a valid credential, against a Supervisor with default settings. */
describe('The gateway under attack by registered nodes', () => {
  let cloud: TestCloud;
  let bad: PlayedNode[];
  let good: PlayedNode[];

  beforeAll(async () => {
    cloud = await TestCloud.start();
    await playedDeployment(cloud);
    bad = await playedNodes(cloud, 12);
    good = await playedNodes(cloud, 4);
  });
  afterAll(() => cloud.stop());

  it('loses no report of another node, returns no 5xx, and keeps running', async () => {
    console.log(`ATTACK_SEED=${SEED}`);
    const pid = cloud.supervisor.pid;
    let isOver = false;
    const attack = attackGateway({ nodes: bad, seconds: SECONDS, seed: SEED }).finally(() => (isOver = true));
    const statuses: number[] = [];
    while (!isOver) {
      const before = await seen();
      for (const node of good) statuses.push(await reported(node));
      await eventually('the reports of the good nodes are written', async () =>
        (await seen()).every((at, place) => at > (before[place] ?? Infinity)),
      );
      expect((await fetch(`${cloud.supervisor.url}/health/live`)).status).toBe(200);
    }
    const report = await attack;
    console.log(report);

    expect(report.faults).toEqual([]);
    expect(report.requests).toBeGreaterThan(SECONDS * bad.length);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(cloud.supervisor.pid).toBe(pid);
  });

  /** Reports like an agent: a node above its rate limit retries. */
  const reported = (node: PlayedNode): Promise<number> =>
    eventually('the gateway takes a report of a good node', async () => {
      const { status } = await node.status();
      return status === 429 ? null : status;
    });
  const seen = async (): Promise<number[]> => {
    const rows = await cloud.rows<{ at: number }>(
      'select coalesce(extract(epoch from last_seen_at), 0)::float8 as at from nodes where id = any($1::bigint[]) order by id',
      [good.map(({ id }) => id)],
    );
    return rows.map(({ at }) => at);
  };
});
