import { TestCloud, TestDeployment } from '@libs/testing';
import type { MqttClient } from 'mqtt';

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

  const both = async (): Promise<boolean> => {
    const clients: MqttClient[] = [];
    try {
      for (let index = 0; index < 2; index += 1) clients.push(await deployment.connect());
      return true;
    } catch {
      return false;
    } finally {
      await Promise.all(clients.map((client) => client.endAsync(true)));
    }
  };
  const restartRequired = async (): Promise<boolean[]> =>
    (await cloud.runtime().get(`${path}/broker/versions`)).body.map(
      (config: { restart_required: boolean }) => config.restart_required,
    );

  it('takes effect when it is applied, not when it is activated, and is deleted with its deployment', async () => {
    await cloud.runtime().post(path, { values: { mqtt: { max_connections: 1 } }, activate: true });
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
