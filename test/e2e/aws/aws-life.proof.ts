import { TestDeployment } from '@libs/testing';
import { AwsWorld, describeWithAws } from './aws-world.js';

const MINUTE_MS = 60_000;
vi.setConfig({ testTimeout: 8 * MINUTE_MS, hookTimeout: 5 * MINUTE_MS });

describeWithAws('A deployment at AWS', () => {
  let world: AwsWorld;
  beforeAll(async () => {
    world = await AwsWorld.start();
  });
  afterAll(() => world.stop());

  it('serves clients from instances, and leaves an empty account', async () => {
    const deployment = await TestDeployment.paid(world.machines.cloud, {});
    console.log(world.calls, world.proxy.counts);
    await world.machines.open(deployment);

    expect(await world.machines.exchange(deployment, 'first', ['one', 'two'])).toEqual(['one', 'two']);
    await deployment.delete();
    expect(await world.contents()).toEqual([]);
  });
});
