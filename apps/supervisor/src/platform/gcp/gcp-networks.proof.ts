import { describeOne, placeAccount, type NetworkSpec, type Resource } from '@libs/cloud';
import {
  at,
  GcpBench,
  INSTALLATION,
  OWN_PROJECT,
  REGION,
  THEIR_ACCOUNT,
  THEIR_PROJECT,
} from '../../../test/gcp-bench.fixture.js';

const tags = (deployment_id: number, installation = INSTALLATION) => ({ installation, deployment_id });
const NET: NetworkSpec = { region: REGION, cidr: '10.1.7.0/24', zones: ['a', 'b'], layout: 'shared' };
const THEIRS = placeAccount(THEIR_PROJECT, 7);

describe('networks at Google Cloud, on the fake of Compute Engine', () => {
  let bench: GcpBench;
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.empty({ operationMs: 0 });
    bench.google.accounts.set(THEIR_ACCOUNT, { description: 'landlord-external-id=x', isTrusted: true, lacks: [] });
    bench.given.set(THEIRS, { service_account_email: THEIR_ACCOUNT, external_id: 'x' });
  });
  afterEach(() => expect(bench.compute.faults).toEqual([]));

  interface Where {
    account?: string | null;
    installation?: string;
  }
  const ref = (id: number, { account = null }: Where) => at(`net-${id}`, account);
  const ensure = (id: number, over: Partial<NetworkSpec> = {}, where: Where = {}) =>
    bench
      .driver(where.installation)
      .ensure('network', ref(id, where), { ...NET, ...over }, tags(id, where.installation));
  const seen = (id: number, where: Where = {}) =>
    describeOne(bench.driver(where.installation), 'network', ref(id, where));
  /** Calls until Google has nothing more to do. */
  async function active(id: number, over: Partial<NetworkSpec> = {}, where: Where = {}): Promise<Resource<'network'>> {
    for (let calls = 0; calls < 6; calls += 1) {
      const network = await ensure(id, over, where);
      if (network.state === 'active') return network;
    }
    throw new TypeError(`the network is not active: ${JSON.stringify(await seen(id, where))}`);
  }
  async function destroy(id: number, where: Where = {}): Promise<void> {
    for (let calls = 0; calls < 4; calls += 1)
      await bench.driver(where.installation).destroy('network', ref(id, where));
  }
  async function refused(id: number, over: Partial<NetworkSpec>, where: Where = {}): Promise<unknown> {
    for (let calls = 0; calls < 4; calls += 1) {
      const error = await ensure(id, over, where).then(
        () => null,
        (one: unknown) => one,
      );
      if (error) return error;
    }
    throw new TypeError('Google refuses nothing');
  }
  const listed = async (deployment_id: number | null, { account = null, installation = INSTALLATION }: Where = {}) => {
    const asked = { installation, ...(deployment_id !== null && { deployment_id }) };
    const page = await bench.driver(installation).inventory(at('', account).at, asked, null);
    return page.resources.map(({ name }) => name).sort();
  };
  const namesIn = (collection: string, project = OWN_PROJECT): string[] =>
    bench.compute
      .resources(collection)
      .filter(({ selfLink }) => String(selfLink).includes(`/projects/${project}/`))
      .map(({ name }) => String(name));
  const rangesIn = (network: string): string[] =>
    bench.compute
      .resources('subnetworks')
      .filter((one) => String(one['network']).endsWith(`/networks/${network}`))
      .map((one) => String(one['ipCidrRange']));
  const left = () => ({ networks: namesIn('networks').length, subnets: namesIn('subnetworks').length });
  /** What the customer does. */
  async function addSubnet(network: string, name: string, ipCidrRange: string, region = REGION): Promise<void> {
    const path = `projects/${THEIR_PROJECT}/regions/${region}/subnetworks`;
    const answer = await fetch(`${bench.compute.endpoint}/compute/v1/${path}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ name, ipCidrRange, network: `projects/${THEIR_PROJECT}/global/networks/${network}` }),
    });
    if (!answer.ok) throw new TypeError(await answer.text());
  }

  describe('that are shared', () => {
    it('are one network with one subnet, until the last deployment has gone', async () => {
      const [one, two] = [await active(1), await active(2)];

      expect(one).toMatchObject({ state: 'active', tags: tags(1), attributes: { cidr: '10.0.0.0/16' } });
      expect(two).toMatchObject({ tags: tags(2), attributes: one.attributes });
      expect(left()).toEqual({ networks: 1, subnets: 1 });
      expect(await listed(null)).toEqual(['net-1', 'net-2']);
      expect(await listed(2)).toEqual(['net-2']);

      await destroy(1);
      expect(await seen(1)).toBeNull();
      expect(await seen(2)).toMatchObject({ state: 'active' });
      expect(left()).toEqual({ networks: 1, subnets: 1 });

      await destroy(2);
      expect(left()).toEqual({ networks: 0, subnets: 0 });
      expect(await bench.rows('select name from aws_resources')).toEqual([]);
    });

    it('are created once by two drivers at once', async () => {
      await Promise.all([active(1), active(2), active(3)]);

      expect(left()).toEqual({ networks: 1, subnets: 1 });
      const inserts = bench.compute.requests.filter(({ id }) => id === 'compute.networks.insert');
      expect(inserts).toHaveLength(1);
    });

    it('exist again after the last deployment has gone', async () => {
      await active(1);
      await destroy(1);

      expect(await active(2)).toMatchObject({ state: 'active' });
      expect(left()).toEqual({ networks: 1, subnets: 1 });
    });

    it('are another one in another region', async () => {
      await active(1);
      const there = { cloud: 'gcp', region: 'europe-west3', account: null } as const;
      const spec = { ...NET, region: 'europe-west3' };
      for (let calls = 0; calls < 4; calls += 1)
        await bench.driver().ensure('network', { name: 'net-9', at: there }, spec, tags(9));

      expect(left()).toEqual({ networks: 2, subnets: 2 });
    });

    it('stay while Google keeps their subnet in use', async () => {
      await active(1);
      bench.compute.refuseNext('compute.subnetworks.delete', 400, 'resourceInUseByAnotherResource');
      await bench.driver().destroy('network', at('net-1'));
      expect(await seen(1)).toMatchObject({ state: 'deleting' });

      await destroy(1);

      expect(left()).toEqual({ networks: 0, subnets: 0 });
    });
  });

  describe('of one deployment', () => {
    const OWN = { layout: 'own' as const };

    it('have the first half of their range for nodes, and leave nothing', async () => {
      const network = await active(1, OWN);

      expect(network).toMatchObject({ attributes: { cidr: NET.cidr, account_id: OWN_PROJECT } });
      expect(rangesIn(network.attributes.network_id)).toEqual(['10.1.7.0/25']);
      await destroy(1);
      expect(left()).toEqual({ networks: 0, subnets: 0 });
      expect(await bench.rows('select name from aws_resources')).toEqual([]);
    });

    it('are refused under a name that somebody else has, and the network of the other one stays', async () => {
      const { attributes } = await active(1, OWN);
      await destroy(1);
      await bench.addNetwork(OWN_PROJECT, attributes.network_id);

      expect(await refused(1, OWN)).toMatchObject({
        refusal: { code: 'invalid' },
        message: `the name ${attributes.network_id} belongs to a resource that is not of Landlord`,
      });
      await destroy(1);

      expect(namesIn('networks')).toEqual([attributes.network_id]);
      expect(await bench.rows('select name from aws_resources')).toEqual([]);
    });

    it('name the quota that is used up', async () => {
      bench.compute.quota('networks', 0);

      expect(await refused(1, OWN)).toMatchObject({ refusal: { code: 'quota', name: 'NETWORKS' } });
      await destroy(1);
      expect(await bench.rows('select name from aws_resources')).toEqual([]);
    });

    it('are refused in a range that is too small for both halves', async () => {
      expect(await refused(1, { ...OWN, cidr: '10.1.7.0/28' })).toMatchObject({
        refusal: { code: 'invalid' },
        message: '10.1.7.0/28 is too small for the subnets of a network',
      });
    });
  });

  it('of two installations in one project do not see each other', async () => {
    const [one, other] = [{ installation: 'one' }, { installation: 'other' }];
    await active(1, {}, one);
    await active(2, {}, other);
    await active(3, { layout: 'own' }, other);
    expect(left()).toEqual({ networks: 3, subnets: 3 });
    expect(await listed(null, one)).toEqual(['net-1']);
    expect(await listed(null, other)).toEqual(['net-2', 'net-3']);

    await destroy(2, other);
    await destroy(3, other);

    expect(left()).toEqual({ networks: 1, subnets: 1 });
    expect(await seen(1, one)).toMatchObject({ state: 'active' });
  });

  describe('of a customer', () => {
    const where = { account: THEIRS };
    const given = (vpc_id = 'theirs') => ({ layout: { vpc_id, range: 'given' as const } });
    const free = (vpc_id = 'theirs') => ({ layout: { vpc_id, range: 'free' as const } });
    beforeEach(() => bench.addNetwork(THEIR_PROJECT, 'theirs'));

    it('get a subnet in the given range, and nothing else is created or deleted', async () => {
      const network = await active(1, given(), where);

      expect(network).toMatchObject({
        attributes: { cidr: NET.cidr, network_id: 'theirs', account_id: THEIR_PROJECT },
      });
      expect(rangesIn('theirs')).toEqual(['10.1.7.0/25']);
      expect(left()).toEqual({ networks: 0, subnets: 0 });
      expect(await listed(1, where)).toEqual(['net-1']);
      expect(await listed(2, where)).toEqual([]);

      await destroy(1, where);
      expect(await seen(1, where)).toBeNull();
      expect(namesIn('networks', THEIR_PROJECT)).toEqual(['theirs']);
      expect(namesIn('subnetworks', THEIR_PROJECT)).toEqual([]);
      expect(await bench.rows('select name from aws_resources')).toEqual([]);
    });

    it('get a free range without a given one, and keep the range', async () => {
      await addSubnet('theirs', 'occupied', '10.0.1.0/26');

      const networks = [await active(1, free(), where), await active(2, free(), where)];

      expect(networks.map(({ attributes }) => attributes.cidr)).toEqual(['10.0.2.0/24', '10.0.3.0/24']);
      expect((await active(1, free(), where)).attributes.cidr).toBe('10.0.2.0/24');
    });

    it('in auto mode get a free range outside of the ranges of Google', async () => {
      await bench.addNetwork(THEIR_PROJECT, 'automatic', true);
      // The range of the deployment is inside the one that Google keeps.
      const id = 128 * 256 + 5;

      const { attributes } = await active(id, free('automatic'), where);

      expect(attributes.cidr).toBe('10.0.0.0/24');
    });

    it.each([
      ['in auto mode, in a range of Google', '10.200.7.0/24', 'cannot overlap with 10.128.0.0/9'],
      ['in auto mode, in the range of one of its subnets', '10.128.0.0/24', 'overlap'],
    ])('%s, are refused with the text of Google', async (_what, cidr, words) => {
      await bench.addNetwork(THEIR_PROJECT, 'automatic', true);

      expect(await refused(1, { ...given('automatic'), cidr }, where)).toMatchObject({
        refusal: { code: 'invalid' },
        message: expect.stringContaining(words),
      });
      await destroy(1, where);
      expect(rangesIn('automatic')).not.toContain(cidr);
      expect(await bench.rows('select name from aws_resources')).toEqual([]);
    });

    it('are refused in a range that another subnet has, with its name', async () => {
      await addSubnet('theirs', 'occupied', '10.1.7.0/26');

      expect(await refused(1, given(), where)).toMatchObject({
        refusal: { code: 'invalid' },
        message: expect.stringContaining("conflicts with existing subnetwork 'occupied'"),
      });
    });

    it('choose another free range when somebody takes the chosen one first', async () => {
      bench.compute.refuseNext('compute.subnetworks.insert', 503, 'backendError');
      await expect(ensure(1, free(), where)).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
      await addSubnet('theirs', 'occupied', '10.0.1.0/24');
      await expect(ensure(1, free(), where)).rejects.toMatchObject({ refusal: { code: 'unavailable' } });

      expect((await active(1, free(), where)).attributes.cidr).toBe('10.0.2.0/24');
    });

    it('choose another free range when a subnet of another region has the chosen one', async () => {
      await addSubnet('theirs', 'far', '10.0.1.0/24', 'europe-west3');
      await addSubnet('theirs', 'farther', '10.0.2.0/24', 'europe-west3');
      for (let calls = 0; calls < 2; calls += 1)
        await expect(ensure(1, free(), where)).rejects.toMatchObject({ refusal: { code: 'unavailable' } });

      expect((await active(1, free(), where)).attributes.cidr).toBe('10.0.3.0/24');
    });

    it('are refused when they do not exist', async () => {
      for (const layout of [given('nowhere'), free('nowhere')])
        expect(await refused(1, layout, where)).toMatchObject({
          refusal: { code: 'invalid' },
          message: `the project ${THEIR_PROJECT} has no network nowhere`,
        });
    });

    it('exist once after a lost answer', async () => {
      bench.compute.loseNextReply();
      await expect(ensure(1, given(), where)).rejects.toMatchObject({ refusal: { code: 'unavailable' } });

      await active(1, given(), where);
      expect(rangesIn('theirs')).toEqual(['10.1.7.0/25']);
    });
  });

  describe('have firewalls', () => {
    const rules = () =>
      bench.compute
        .resources('firewalls')
        .map(({ sourceRanges = [], allowed, sourceTags }) => ({ sourceRanges, allowed, sourceTags }));
    type Ingress = { protocol: 'tcp' | 'udp'; port: number; cidrs: string[] }[];
    async function open(ingress: Ingress): Promise<void> {
      for (let calls = 0; calls < 6; calls += 1)
        await bench.driver().ensure('firewall', at('fw'), { network: 'net-1', ingress }, tags(1));
    }
    beforeEach(() => active(1, { layout: 'own' }));

    it('with a rule for each version of IP, one for health checks, and one between the nodes', async () => {
      await open([
        { protocol: 'tcp', port: 1883, cidrs: ['0.0.0.0/0', '::/0'] },
        { protocol: 'udp', port: 14567, cidrs: ['0.0.0.0/0'] },
      ]);

      const tcp = { IPProtocol: 'tcp', ports: ['1883'] };
      expect(rules()).toHaveLength(4);
      expect(rules()).toContainEqual(
        expect.objectContaining({
          sourceRanges: ['0.0.0.0/0'],
          allowed: [tcp, { IPProtocol: 'udp', ports: ['14567'] }],
        }),
      );
      expect(rules()).toContainEqual(expect.objectContaining({ sourceRanges: ['::/0'], allowed: [tcp] }));
      expect(rules()).toContainEqual(
        expect.objectContaining({ sourceRanges: expect.arrayContaining(['130.211.0.0/22']), allowed: [tcp] }),
      );
      expect(rules()).toContainEqual(
        expect.objectContaining({ allowed: [{ IPProtocol: 'all' }], sourceTags: [expect.stringMatching(/^ld-/)] }),
      );
    });

    it('that follow a change, and open the new rule before they close the old one', async () => {
      await open([{ protocol: 'tcp', port: 1883, cidrs: ['192.0.2.0/24'] }]);
      bench.compute.requests.length = 0;

      await open([{ protocol: 'tcp', port: 1883, cidrs: ['198.51.100.0/24'] }]);

      const changes = bench.compute.requests.map(({ id }) => id).filter((id) => /firewalls\.(insert|delete)/.test(id));
      expect(changes).toEqual(['compute.firewalls.insert', 'compute.firewalls.delete']);
      expect(JSON.stringify(rules())).not.toContain('192.0.2.0');
      expect(JSON.stringify(rules())).toContain('198.51.100.0');
    });

    it('that are gone with the deployment', async () => {
      await open([{ protocol: 'tcp', port: 1883, cidrs: ['0.0.0.0/0', '::/0'] }]);
      for (let calls = 0; calls < 4; calls += 1) await bench.driver().destroy('firewall', at('fw'));
      await destroy(1);

      expect(rules()).toEqual([]);
      expect(left()).toEqual({ networks: 0, subnets: 0 });
      expect(await bench.rows('select name from aws_resources')).toEqual([]);
    });
  });
});
