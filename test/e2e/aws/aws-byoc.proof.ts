import { jest } from '@jest/globals';
import { lostAccessStory } from '../clouds/lost-access-story.js';
import { OTHER_ACCOUNT } from '../../../apps/supervisor/test/moto-account.fixture.js';
import { AwsCustomer } from './aws-customer.js';
import { AWS_WORLD_WAIT_MS, AwsWorld, describeWithAws } from './aws-world.js';

const MINUTE_MS = 60_000;
const NO_ROLE = /^Landlord cannot change the nodes: AWS does not let Landlord assume the role of the account/;

jest.setTimeout(8 * MINUTE_MS);

/** Both accounts are Moto behind the fault proxy. Hosts, networks, disks, agents and brokers are real. */
describeWithAws('A deployment in the account of a customer at AWS', () => {
  let world: AwsWorld;
  let customer: AwsCustomer;
  beforeAll(async () => {
    world = await AwsWorld.start();
    customer = await AwsCustomer.start(world);
  }, AWS_WORLD_WAIT_MS);
  afterAll(async () => {
    await customer?.stop();
    await world.stop();
  }, AWS_WORLD_WAIT_MS);

  it('serves clients from instances in the VPC of the customer, and leaves only this VPC', async () => {
    const before = await customer.contents();
    expect(before.map((one) => one.split(' ')[0])).toEqual(['vpc', 'gateway']);
    expect(await customer.verdict()).toMatchObject({ valid: true, missing_permissions: [] });

    const deployment = await customer.deployment('theirs');
    await world.machines.open(deployment);

    expect(await world.machines.exchange(deployment, 'first', ['one', 'two'])).toEqual(['one', 'two']);
    expect(await world.contents()).toEqual([]);
    expect((await deployment.detail())['aws']).toMatchObject({
      account_id: OTHER_ACCOUNT,
      network_id: customer.account.vpc_id,
    });
    await deployment.delete();
    expect(await customer.contents()).toEqual(before);
  });

  it('keeps its nodes after its role was deleted, says so, and ends only with a role', async () => {
    await lostAccessStory(world.machines, customer, { refusal: NO_ROLE, deletion: /^AWS / });
  });
});
