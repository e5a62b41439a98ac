import { eventually, TestCloud, TestDeployment } from '@libs/testing';

/** A Free node has half a gibibyte. It uses a fifth of this with its broker, and a tenth without. */
const ENV = { NODE_UNREACHABLE_SECONDS: '8', ALERT_HIGH_PERCENT: '16', ALERT_RESOLVED_PERCENT: '14' };

describe('High usage of a node', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: ENV });
  });
  afterAll(() => cloud.stop());

  const events = async (): Promise<string[]> => {
    const rows = await cloud.rows<{ type: string }>(
      `select type from outbox where type like '%memory_usage%' order by created_at, id`,
    );
    return rows.map(({ type }) => type);
  };

  it('is reported once for each period, by two supervisors of which one is killed', async () => {
    const AGENT_PUBLIC_URL = `http://127.0.0.1:${cloud.supervisorEnv['GATEWAY_PORT']}`;
    const other = await cloud.another('supervisor', { AGENT_PUBLIC_URL });
    await other.start();
    const deployment = await TestDeployment.free(cloud);
    const turn = async (action: 'start' | 'stop'): Promise<void> =>
      deployment.succeeds(await cloud.runtime().post(`${deployment.live}/activities/broker/${action}`, {}));
    await eventually('the first spell', async () => (await events()).length === 1);
    await turn('stop');
    await eventually('its end', async () => (await events()).length === 2);
    await turn('start');
    await other.kill();
    await eventually('the second spell', async () => (await events()).length === 3);
    await turn('stop');
    await eventually('the end of the second', async () => (await events()).length === 4);

    expect(await events()).toEqual([
      ...['high_memory_usage', 'memory_usage_resolved'],
      ...['high_memory_usage', 'memory_usage_resolved'],
    ]);
    const [first] = await cloud.rows<{ subject: string; data: object }>(
      `select subject, data from outbox where type = 'high_memory_usage' order by id`,
    );
    expect(first?.subject).toMatch(/^Memory of node node-1 of .* is at \d+(\.\d)? %$/);
    expect(first?.data).toMatchObject({ name: 'node-1', percent: expect.any(Number), high_since: expect.any(String) });
  });
});
