import { eventually } from '@libs/testing';
import { describeWithHosts } from '../machines/hosts/host-world.js';
import { GcpCustomer } from './gcp-customer.js';
import { GCP_WORLD_WAIT_MS, GcpWorld, THEIR_PROJECT } from './gcp-world.js';

const MINUTE_MS = 60_000;
const NO_ACCESS = /^Landlord cannot change the nodes: Google does not let Landlord act as the service account/;

vi.setConfig({ testTimeout: 8 * MINUTE_MS, hookTimeout: GCP_WORLD_WAIT_MS });

/** Both projects are at the fakes of Google. Hosts, networks, disks, agents and brokers are real. */
describeWithHosts('A deployment in the project of a customer at Google Cloud', () => {
  let world: GcpWorld;
  let customer: GcpCustomer;
  beforeAll(async () => {
    world = await GcpWorld.start();
    customer = await GcpCustomer.start(world);
  });
  afterAll(() => world.stop());

  it('serves clients from instances in the network of the customer, and leaves only this network', async () => {
    const before = customer.contents();
    expect(before.map((one) => one.split(' ')[0])).toEqual(['networks']);
    expect(await customer.verdict()).toMatchObject({ valid: true, missing_permissions: [] });

    const deployment = await customer.deployment('theirs');
    await world.machines.open(deployment);

    expect(await world.machines.exchange(deployment, 'first', ['one', 'two'])).toEqual(['one', 'two']);
    expect(world.contents()).toEqual([]);
    expect((await deployment.detail())['gcp']).toMatchObject({ project_id: THEIR_PROJECT });
    await deployment.delete();
    expect(customer.contents()).toEqual(before);
  });

  it('keeps its nodes after its service account was deleted, says so, and ends only with access', async () => {
    const before = customer.contents();
    const deployment = await customer.deployment('without-access');
    await world.machines.open(deployment);
    const running = customer.contents();
    /** The detail, as soon as its status reason matches. */
    const explained = (reason: RegExp | null) =>
      eventually(
        `a status reason like ${reason}`,
        async () => {
          const { status, status_reason } = await deployment.detail();
          const isWanted = reason === null ? status_reason === null : reason.test(String(status_reason));
          return isWanted ? { status, status_reason } : null;
        },
        2 * MINUTE_MS,
      );

    customer.takeAccess();

    expect((await explained(NO_ACCESS)).status).toBe('initialized');
    expect((await world.machines.cloud.main().get(deployment.path)).body.status_reason).toMatch(NO_ACCESS);
    expect(await world.machines.exchange(deployment, 'no-access', ['one', 'two'])).toEqual(['one', 'two']);

    // The Supervisor misses a node that it cannot ask the provider for.
    const cable = customer.cables().at(-1);
    cable?.cut();
    expect((await explained(/^1 of 3 nodes are not in service; Landlord cannot/)).status).toBe('degraded');
    cable?.restore();
    expect((await explained(/^Landlord cannot/)).status).toBe('initialized');
    customer.giveAccess();
    expect((await explained(null)).status).toBe('initialized');
    expect(customer.contents()).toEqual(running);

    customer.takeAccess();
    const accepted = await world.machines.cloud.main().delete(deployment.path);
    expect((await explained(/^Google /)).status).toBe('deleting');
    expect(customer.contents()).toEqual(running);
    customer.giveAccess();
    await deployment.succeeds(accepted);
    expect(customer.contents()).toEqual(before);
  });
});
