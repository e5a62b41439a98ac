import { jest } from '@jest/globals';
import { lostAccessStory } from '../clouds/lost-access-story.js';
import { describeWithHosts } from '../machines/hosts/host-world.js';
import { GcpCustomer } from './gcp-customer.js';
import { GCP_WORLD_WAIT_MS, GcpWorld, PROJECT, THEIR_PROJECT } from './gcp-world.js';

const MINUTE_MS = 60_000;
const NO_ACCESS = /^Landlord cannot change the nodes: Google does not let Landlord act as the service account/;

jest.setTimeout(8 * MINUTE_MS);

/** Both projects are at the fakes of Google. Hosts, networks, disks, agents and brokers are real. */
describeWithHosts('A deployment in the project of a customer at Google Cloud', () => {
  let world: GcpWorld;
  let customer: GcpCustomer;
  beforeAll(async () => {
    world = await GcpWorld.start();
    customer = await GcpCustomer.start(world);
  }, GCP_WORLD_WAIT_MS);
  afterAll(() => world.stop(), GCP_WORLD_WAIT_MS);

  it('serves clients from instances in the network of the customer, and leaves only this network', async () => {
    const before = customer.contents();
    expect(before.map((one) => one.split(' ')[0])).toEqual(['networks']);
    expect(await customer.verdict()).toMatchObject({ valid: true, missing_permissions: [] });

    const deployment = await customer.deployment('theirs');
    await world.machines.open(deployment);

    expect(await world.machines.exchange(deployment, 'first', ['one', 'two'])).toEqual(['one', 'two']);
    expect(world.contents(PROJECT)).toEqual([]);
    expect((await deployment.detail())['gcp']).toMatchObject({ project_id: THEIR_PROJECT });
    await deployment.delete();
    expect(customer.contents()).toEqual(before);
  });

  it('keeps its nodes after its service account was deleted, says so, and ends only with access', async () => {
    await lostAccessStory(world.machines, customer, { refusal: NO_ACCESS, deletion: /^Google / });
  });
});
