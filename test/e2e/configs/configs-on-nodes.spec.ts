import { BROKER_OF_THE_RUN, TestCloud, TestDeployment, type BrokerClient } from '@libs/testing';

/** Iggy has no limit of its clients. The other brokers keep their ports open. */
const VALUES = BROKER_OF_THE_RUN === 'iggy' ? { websocket: { enabled: false } } : { mqtt: { max_connections: 1 } };

/** Saved configurations, as clients of a real node see them. */
describe('A configuration of a node', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let path: string;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.free(cloud);
    path = `${deployment.live}/configs/broker`;
  });
  afterAll(() => cloud.stop());

  /** Two clients at once. They use both ports of the protocol, because each setting concerns one of them. */
  const both = async (): Promise<boolean> => {
    const clients: BrokerClient[] = [];
    try {
      for (const over of ['tcp', 'websocket'] as const) clients.push(await deployment.client(0, { over }));
      return true;
    } catch {
      return false;
    } finally {
      await Promise.all(clients.map((client) => client.close()));
    }
  };
  const restartRequired = async (): Promise<boolean[]> =>
    (await cloud.runtime().get(`${path}/broker/versions`)).body.map(
      (config: { restart_required: boolean }) => config.restart_required,
    );

  it('takes effect when it is applied, not when it is activated, and is deleted with its deployment', async () => {
    await cloud.runtime().post(path, { values: VALUES, activate: true });
    expect(await both()).toBe(true);
    expect(await restartRequired()).toEqual([true, false]);

    const task = await cloud.runtime().post(`${deployment.live}/tasks`, { type: 'broker:reconfigure' });
    await deployment.succeeds(task);

    expect(await both()).toBe(false);
    expect(await restartRequired()).toEqual([false, true]);

    const stored = async (): Promise<number[]> =>
      Promise.all(['configs', 'config_versions'].map(async (table) => (await cloud.rows(`table ${table}`)).length));
    // Two versions, and one counter of versions.
    expect(await stored()).toEqual([2, 1]);
    await deployment.delete();
    expect(await stored()).toEqual([0, 0]);
    expect(await cloud.runtime().get(path)).toBeProblem('deployment_not_found');
  });
});
