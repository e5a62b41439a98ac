import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithIggy, eventually, IGGY_RELEASE, IGGY_SETTINGS, TestCloud, TestDeployment } from '@libs/testing';

const PAID = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };

const regionOf = async (cloud: TestCloud) =>
  (await cloud.main().get(`${cloud.tenant}/clouds/aws/regions`)).body.find(
    ({ key }: { key: string }) => key === 'us-east-1',
  );

describe('A machine that gets iggy-server later', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.start({
      env: { LOCAL_BROKER: 'auto', PATH: '', IGGY_SERVER_BIN: '', IGGY_CONNECTORS_BIN: '' },
    });
  });
  afterAll(() => cloud.stop());

  it('keeps the broker and the features of a deployment, and announces iggy for the next', async () => {
    const deployment = await TestDeployment.free(cloud);
    const record = async () => (await cloud.main().get(deployment.path)).body;
    const before = await record();
    expect(before.features).toMatchObject({ encryption: 'real' });

    await cloud.supervisor.stop();
    const folder = join(cloud.directory, 'packages/iggy');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'iggy-server'), '#!/bin/sh\necho server 0.8.0\n');
    chmodSync(join(folder, 'iggy-server'), 0o755);
    await cloud.supervisor.start();

    expect((await regionOf(cloud)).features_by_cluster).toMatchObject({
      cluster: { encryption: 'real' },
      standalone: { encryption: 'real', rate_limit: 'real', backup: 'real' },
    });
    const [{ runtimes: [broker] = [] } = {}] = await deployment.nodes();
    process.kill(broker?.pid ?? 0, 'SIGKILL');
    const again = await eventually('the agent has started another broker', async () => {
      const [node] = await deployment.nodes();
      return node?.status === 'running' && (node.runtimes[0]?.pid ?? broker?.pid) !== broker?.pid ? node : null;
    });
    expect(again.driver).toBe('embedded');
    expect((await record()).features).toEqual(before.features);
    await (await deployment.letsIn()).endAsync(true);
    await deployment.delete();
  });
});

describeWithIggy('A cloud whose broker is iggy', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: IGGY_SETTINGS });
  });
  afterAll(() => cloud.stop());

  it('finds the real program with its libraries, and takes no cluster', async () => {
    const order = await cloud.main().post(`${cloud.environment}/deployments/managed`, { ...PAID, name: 'several' });

    expect(order).toBeProblem('feature_unavailable', { feature: 'replication', broker_driver: 'iggy' });
    expect(await cloud.rows('select broker_driver, broker_version from cells')).toEqual([
      { broker_driver: 'iggy', broker_version: expect.stringMatching(/^0\.8\.\d+$/) },
    ]);
    expect((await regionOf(cloud)).features_by_cluster.standalone).toMatchObject({ rate_limit: 'real' });
  });

  it('runs a node with it, and leaves nothing behind', async () => {
    const deployment = await TestDeployment.free(cloud);
    const [node] = await deployment.nodes();

    expect(node).toMatchObject({ driver: 'iggy', status: 'running', runtimes: [{ version: IGGY_RELEASE }] });
    await deployment.delete();
    expect(await cloud.nodeProcesses()).toEqual([]);
  });
});
