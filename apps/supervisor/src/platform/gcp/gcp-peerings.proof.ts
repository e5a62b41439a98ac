import { setTimeout as wait } from 'node:timers/promises';
import { describeOne, type NetworkLayout, type Resource, type ResourceSpecs } from '@libs/cloud';
import { at, GcpBench, INSTALLATION, OWN_PROJECT, REGION, THEIR_PROJECT } from '../../../test/gcp-bench.fixture.js';

const TAGS = { installation: INSTALLATION, deployment_id: 7 };
const RANGE = '10.1.7.0/24';
const PEER = '172.16.0.0/16';
type Spec = ResourceSpecs['network_peering'];
const SPEC: Spec = { network: 'net', peer_network: 'theirs', peer_project_id: THEIR_PROJECT, peer_cidr: PEER };
const link = (project: string, network: string) => `projects/${project}/global/networks/${network}`;

describe('peerings at Google Cloud, on the fake of Compute Engine with two projects', () => {
  let bench: GcpBench;
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => begin(0));
  afterEach(() => expect(bench.compute.faults).toEqual([]));

  async function begin(operationMs: number): Promise<void> {
    await bench.empty({ operationMs });
    for (const name of ['theirs', 'others']) await bench.addNetwork(THEIR_PROJECT, name);
  }
  async function network(layout: NetworkLayout = 'own'): Promise<string> {
    const spec = { region: REGION, cidr: RANGE, zones: ['a'], layout };
    return repeated(
      () => bench.driver().ensure('network', at('net'), spec, TAGS),
      ({ attributes }) => attributes.network_id,
      ({ state }) => state === 'active',
    );
  }
  /** Calls until the result is as wanted. */
  async function repeated<T, R>(call: () => Promise<T>, read: (one: T) => R, isDone: (one: T) => boolean): Promise<R> {
    for (let calls = 0; calls < 100; calls += 1) {
      const one = await call();
      if (isDone(one)) return read(one);
      await wait(5);
    }
    throw new TypeError('the result is not as wanted');
  }
  const ensure = (over: Partial<Spec> = {}, name = 'peer') =>
    bench.driver().ensure('network_peering', at(name), { ...SPEC, ...over }, TAGS);
  const seen = (name = 'peer') => describeOne(bench.driver(), 'network_peering', at(name));
  const destroy = (name = 'peer') => bench.driver().destroy('network_peering', at(name));
  const exists = (over: Partial<Spec> = {}, name = 'peer'): Promise<Resource<'network_peering'>> =>
    repeated(
      () => ensure(over, name),
      (one) => one,
      ({ id }) => id !== '' && names().includes(name),
    );
  const gone = (name = 'peer'): Promise<void> =>
    repeated(
      async () => {
        await destroy(name);
        return seen(name);
      },
      () => undefined,
      (one) => one === null,
    );
  const names = (): string[] =>
    bench.compute
      .resources('networks')
      .filter(({ selfLink }) => String(selfLink).includes(`/${OWN_PROJECT}/`))
      .flatMap((one) => (one['peerings'] ?? []) as { name: string }[])
      .map(({ name }) => name)
      .sort();
  async function change(network: string, verb: 'addPeering' | 'removePeering', body: object): Promise<void> {
    const answer = await fetch(`${bench.compute.endpoint}/compute/v1/${network}/${verb}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    });
    if (!answer.ok) throw new TypeError(await answer.text());
  }
  /** What the other side does with its half. */
  const other = (verb: 'addPeering' | 'removePeering', body: object) =>
    change(link(THEIR_PROJECT, 'theirs'), verb, body);
  const accept = (own: string) =>
    other('addPeering', {
      networkPeering: { name: 'back', network: link(OWN_PROJECT, own), exchangeSubnetRoutes: true },
    });
  const changes = () => bench.compute.requests.filter(({ id }) => /\.(add|remove)Peering$/.test(id));

  it('wait for the other side, become active, and leave nothing', async () => {
    const own = await network();
    const inactive = { status: 'inactive', details: expect.stringMatching(/Waiting for peer network to connect/) };
    expect(await exists()).toMatchObject({ state: 'active', tags: TAGS });
    expect(await seen()).toMatchObject({ attributes: { ...inactive, project_id: OWN_PROJECT, network: own } });

    await accept(own);
    expect(await seen()).toMatchObject({
      attributes: { status: 'active', details: expect.stringContaining('Connected') },
    });

    await gone();
    await other('removePeering', { name: 'back' });
    await repeated(
      async () => {
        await bench.driver().destroy('network', at('net'));
        return bench.rows('select name from aws_resources');
      },
      () => undefined,
      (rows) => rows.length === 0,
    );
    expect(bench.compute.resources('networks').map(({ name }) => name)).not.toContain(own);
  });

  it('of one network are made and removed one after the other, when two calls come at once', async () => {
    await begin(60);
    await network();
    const two = { peer_network: 'others', peer_cidr: '172.17.0.0/16' };

    await Promise.all([exists({}, 'one'), exists(two, 'two')]);
    expect(names()).toEqual(['one', 'two']);

    await Promise.all([gone('one'), gone('two')]);
    expect(names()).toEqual([]);
    expect(changes().filter(({ status }) => status === 200)).toHaveLength(4);
    expect(changes().filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('exist once after a lost answer, while Google still works on the change', async () => {
    await begin(150);
    await network();
    bench.compute.loseNextReply();
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });

    // Google refuses the second call, because the first one still has to end.
    await ensure();
    await exists();

    expect(names()).toEqual(['peer']);
  });

  /** Does something after Google has read the network, and before the driver has the answer. */
  function afterNextLook(change: () => Promise<void> | void): void {
    bench.compute.delays.set('compute.networks.get', async () => {
      bench.compute.delays.clear();
      await change();
    });
  }

  it('exist once when a change without an answer ends between a look and the next call', async () => {
    const own = await network();
    const networkPeering = { name: 'peer', network: link(THEIR_PROJECT, 'theirs'), exchangeSubnetRoutes: true };
    afterNextLook(() => change(link(OWN_PROJECT, own), 'addPeering', { networkPeering }));

    expect(await ensure()).toMatchObject({ state: 'active', attributes: { network: own } });
    expect(names()).toEqual(['peer']);
    expect(changes().map(({ status }) => status)).toEqual([200, 400]);
  });

  it('are gone when an earlier removal ends between a look and the next call', async () => {
    const own = await network();
    await exists();
    afterNextLook(() => bench.compute.change('networks', own, (one) => delete one.peerings));

    await destroy();

    expect(await seen()).toBeNull();
    expect(changes()).toHaveLength(1);
  });

  it('wait while the other side changes its peerings', async () => {
    await begin(100);
    const own = await network();
    await accept(own);

    await ensure();
    await exists();

    expect(names()).toEqual(['peer']);
    expect(changes().some(({ status }) => status === 400)).toBe(true);
  });

  it('that the other side removed become inactive, and can be deleted', async () => {
    const own = await network();
    await exists();
    await accept(own);
    await other('removePeering', { name: 'back' });

    expect(await seen()).toMatchObject({ state: 'active', attributes: { status: 'inactive' } });
    expect(await ensure()).toMatchObject({ attributes: { status: 'inactive' } });
    expect(changes().filter(({ path }) => path.includes(OWN_PROJECT))).toHaveLength(1);

    await gone();
    expect(names()).toEqual([]);
  });

  it('that an operator removed by hand are made again by the next call', async () => {
    const own = await network();
    await exists();
    bench.compute.change('networks', own, (one) => delete one.peerings);
    expect(await seen()).toBeNull();

    await exists();
    expect(names()).toEqual(['peer']);
  });

  it.each([
    ['a range that overlaps the own one', { peer_cidr: '10.1.0.0/16' }, 'own', '10.1.0.0/16 overlaps the range'],
    ['a shared network', {}, 'shared', 'the deployment shares its network with others'],
  ] as const)('to %s are refused, and leave nothing', async (_what, over, layout, words) => {
    await network(layout);

    await expect(ensure(over)).rejects.toMatchObject({
      refusal: { code: 'invalid' },
      message: expect.stringContaining(words),
    });
    await gone();
    expect(await bench.rows(`select name from aws_resources where name = 'peer'`)).toEqual([]);
    expect(changes()).toEqual([]);
  });

  it('to a network whose subnets overlap are refused with the text of Google', async () => {
    await network();
    const path = `projects/${THEIR_PROJECT}/regions/${REGION}/subnetworks`;
    const answer = await fetch(`${bench.compute.endpoint}/compute/v1/${path}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ name: 'same', ipCidrRange: RANGE, network: link(THEIR_PROJECT, 'theirs') }),
    });
    expect(answer.ok).toBe(true);

    await expect(ensure()).rejects.toMatchObject({
      refusal: { code: 'invalid' },
      message: expect.stringContaining('An IP range in the peer network overlaps'),
    });
    await gone();
    expect(names()).toEqual([]);
  });

  it('with a name that Google does not accept are refused', async () => {
    await network();

    await expect(ensure({}, 'Peer_1')).rejects.toMatchObject({ refusal: { code: 'invalid' } });
  });

  it('wait for their network, and leave nothing', async () => {
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
    await destroy();
    expect(await bench.rows('select name from aws_resources')).toEqual([]);
  });

  it('exist when their operation has vanished', async () => {
    await network();
    await ensure();
    bench.compute.forgetOperations();

    await exists();

    expect(changes()).toHaveLength(1);
  });
});
