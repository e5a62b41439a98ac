import { describeOne, type NetworkSpec, type Resource } from '@libs/cloud';
import { MotoServer, skippedSuite } from '@libs/testing';
import { at, AwsBench, INSTALLATION, OWN_ACCOUNT, REGION } from '../../../test/aws-bench.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);
const tags = (deployment_id: number) => ({ installation: INSTALLATION, deployment_id });
const NET: NetworkSpec = { region: REGION, cidr: '10.1.7.0/24', zones: ['a', 'b', 'c'], layout: 'shared' };

describeWithMoto('networks at AWS, on Moto', () => {
  let bench: AwsBench;
  beforeAll(async () => {
    bench = await AwsBench.open();
  });
  beforeEach(() => bench.empty());
  afterAll(() => bench.close());

  const ensure = (id: number, over: Partial<NetworkSpec> = {}, account: string | null = null) =>
    bench.driver().ensure('network', at(`net-${id}`, account), { ...NET, ...over }, tags(id));
  const destroy = (id: number, account: string | null = null) =>
    bench.driver().destroy('network', at(`net-${id}`, account));
  const seen = (id: number, account: string | null = null) =>
    describeOne(bench.driver(), 'network', at(`net-${id}`, account));
  const listed = async (id: number, account: string | null = null): Promise<string[]> => {
    const page = await bench.driver().inventory(at('', account).at, tags(id), null);
    return page.resources.map(({ name }) => name);
  };

  /** What the account has with tags of Landlord, by kind. */
  const left = async () => {
    const Filters = [{ Name: 'tag:landlord:installation', Values: [INSTALLATION] }];
    const { Vpcs = [] } = await bench.ec2.describeVpcs({ Filters });
    const { Subnets = [] } = await bench.ec2.describeSubnets({ Filters });
    const { InternetGateways = [] } = await bench.ec2.describeInternetGateways({ Filters });
    return { vpcs: Vpcs.length, subnets: Subnets.length, gateways: InternetGateways.length };
  };
  const NOTHING = { vpcs: 0, subnets: 0, gateways: 0 };
  const WHOLE = { vpcs: 1, subnets: 3, gateways: 1 };

  describe('that are shared', () => {
    it('are one VPC with a subnet in each zone, until the last deployment has gone', async () => {
      const [one, two] = [await ensure(1), await ensure(2)];

      expect(one).toMatchObject({ state: 'active', tags: tags(1), attributes: { cidr: '10.0.0.0/16' } });
      expect(two).toMatchObject({ state: 'active', tags: tags(2), attributes: one.attributes });
      expect(one.attributes.subnet_ids).toHaveLength(3);
      expect(await left()).toEqual(WHOLE);

      await destroy(1);
      expect(await seen(1)).toBeNull();
      expect(await seen(2)).toMatchObject({ state: 'active' });
      expect(await left()).toEqual(WHOLE);

      await destroy(2);
      await destroy(2);
      expect(await left()).toEqual(NOTHING);
      expect(await bench.rows('select name from aws_resources')).toEqual([]);
    });

    it('are created once by two drivers at once, and no call counts a user twice', async () => {
      await Promise.all([1, 2, 1, 2, 3].map((id) => ensure(id)));

      expect(await left()).toEqual(WHOLE);
      await Promise.all([1, 2, 3, 3].map((id) => destroy(id)));
      expect(await left()).toEqual(NOTHING);
    });

    it('are whole for a deployment that comes while the last one goes', async () => {
      await ensure(1);
      for (let round = 0; round < 3; round += 1) {
        await Promise.all([destroy(1), ensure(2)]);
        await ensure(2);
        expect(await seen(2)).toMatchObject({ state: 'active' });
        expect(await left()).toEqual(WHOLE);
        await Promise.all([destroy(2), ensure(1)]);
        expect(await left()).toEqual(WHOLE);
      }
    });

    it.each(['DeleteSubnet', 'DetachInternetGateway', 'DeleteInternetGateway', 'DeleteVpc'])(
      'are completed again when %s was refused because something is in use, and a deployment comes',
      async (action) => {
        await ensure(1);
        bench.proxy.refuseNext(action, 'DependencyViolation');
        await destroy(1);
        expect(await seen(1)).toMatchObject({ state: 'deleting' });

        const next = await ensure(2);

        expect(next).toMatchObject({ state: 'active' });
        expect(await left()).toEqual(WHOLE);
        await destroy(1);
        expect(await seen(1)).toBeNull();
        expect(await left()).toEqual(WHOLE);
        const { RouteTables = [] } = await bench.ec2.describeRouteTables({
          Filters: [{ Name: 'vpc-id', Values: [next.id] }],
        });
        const routes = RouteTables.flatMap(({ Routes = [] }) => Routes.map((route) => route.DestinationCidrBlock));
        expect(routes).toContain('0.0.0.0/0');
        await destroy(2);
        expect(await left()).toEqual(NOTHING);
      },
    );

    it('are whole or gone after calls that ended at any point', async () => {
      const ignore = (): void => undefined;
      for (let calls = 0; calls < 8; calls += 1) {
        bench.proxy.failHalfway(calls);
        await ensure(1).catch(ignore);
        await bench.aMinuteLater();
        await Promise.all([ensure(1).catch(ignore), ensure(2).catch(ignore)]);
        await bench.aMinuteLater();
        await Promise.all([ensure(1), ensure(2)]);
        expect([calls, await left()]).toEqual([calls, WHOLE]);

        bench.proxy.failHalfway(calls);
        await destroy(1).catch(ignore);
        await destroy(2).catch(ignore);
        bench.proxy.failHalfway(Number.MAX_SAFE_INTEGER);
        expect(await ensure(3)).toMatchObject({ state: 'active' });
        expect([calls, await left()]).toEqual([calls, WHOLE]);

        for (const id of [1, 2, 3]) await destroy(id);
        expect([calls, await left()]).toEqual([calls, NOTHING]);
        expect(await bench.rows('select name from aws_resources')).toEqual([]);
        await bench.rows('delete from cloud_call_slots');
      }
    });

    it('exist once after a lost reply, and the deletion of the only user deletes what it began', async () => {
      bench.proxy.loseNextReply();
      await expect(ensure(1)).rejects.toMatchObject({ refusal: { code: 'unavailable' } });

      await ensure(2);
      expect(await left()).toEqual(WHOLE);
      await destroy(2);
      await destroy(1);
      expect(await left()).toEqual(NOTHING);
    });

    it('are not created twice while the first creation is not visible yet', async () => {
      bench.proxy.hideNew(true);
      await ensure(1);
      await ensure(2);
      bench.proxy.hideNew(false);

      // The table of routes was hidden too, so the second call adds the way to the internet.
      expect(await ensure(1)).toMatchObject({ state: 'active' });
      expect(await left()).toEqual(WHOLE);
    });

    it('separate the deployments by groups with names of their own', async () => {
      await Promise.all([ensure(1), ensure(2)]);
      const groups = [1, 2].map((id) =>
        bench.driver().ensure('firewall', at(`fw-${id}`), { network: `net-${id}`, ingress: [] }, tags(id)),
      );

      const [one, two] = await Promise.all(groups);

      expect(one?.id).not.toBe(two?.id);
      expect(one?.attributes).toEqual(two?.attributes);
      const { SecurityGroups = [] } = await bench.ec2.describeSecurityGroups({ GroupIds: [one?.id ?? ''] });
      const sources = SecurityGroups[0]?.IpPermissions?.flatMap(({ IpRanges = [], UserIdGroupPairs = [] }) => [
        ...IpRanges.map(({ CidrIp }) => CidrIp),
        ...UserIdGroupPairs.map(({ GroupId }) => GroupId),
      ]);
      expect(sources).toEqual([one?.id]);
    });

    it('are in the inventory of each deployment that uses them', async () => {
      await Promise.all([ensure(1), ensure(2), ensure(3, { layout: 'own' })]);

      expect(await listed(1)).toEqual(['net-1']);
      expect(await listed(4)).toEqual([]);
      const all = await bench.driver().inventory(at('').at, { installation: INSTALLATION }, null);
      expect(all.resources.map(({ name }) => name).sort()).toEqual(['net-1', 'net-2', 'net-3']);
    });

    it('name the quota when the account has no room for another VPC, and leave nothing', async () => {
      bench.proxy.refuseNext('CreateVpc', 'VpcLimitExceeded');

      await expect(ensure(1)).rejects.toMatchObject({
        refusal: { code: 'quota', name: 'VpcLimitExceeded' },
        message: expect.stringContaining('VpcLimitExceeded'),
      });
      await destroy(1);
      expect(await bench.rows('select name from aws_resources')).toEqual([]);
    });

    it('refuse a zone that AWS does not have', async () => {
      await expect(ensure(1, { zones: ['z'] })).rejects.toMatchObject({ refusal: { code: 'invalid' } });
    });
  });

  it('keep the layout of their first request', async () => {
    const own = await ensure(1, { layout: 'own' });
    const shared = await ensure(2);

    expect((await ensure(1)).id).toBe(own.id);
    expect((await ensure(2, { layout: 'own' })).id).toBe(shared.id);
    expect(own.attributes.cidr).toBe(NET.cidr);
    expect(await left()).toEqual({ vpcs: 2, subnets: 6, gateways: 2 });
    await Promise.all([destroy(1), destroy(2)]);
    expect(await left()).toEqual(NOTHING);
  });

  describe('in the VPC of a customer', () => {
    let vpc_id: string;
    beforeEach(async () => {
      vpc_id = (await bench.ec2.createVpc({ CidrBlock: '10.1.0.0/16' })).Vpc?.VpcId ?? '';
    });
    const inside = (id: number, over: Partial<NetworkSpec> = {}): Promise<Resource<'network'>> =>
      ensure(id, { layout: { vpc_id, range: 'given' }, ...over }, OWN_ACCOUNT);
    const customersVpc = async () =>
      (await bench.ec2.describeVpcs({ Filters: [{ Name: 'vpc-id', Values: [vpc_id] }] })).Vpcs;

    it('are subnets out of the range, and nothing else is created or deleted', async () => {
      const network = await inside(1);
      await inside(1);

      expect(network).toMatchObject({ state: 'active', id: vpc_id, tags: tags(1), attributes: { cidr: NET.cidr } });
      expect(network.attributes.subnet_ids).toHaveLength(3);
      expect(await left()).toEqual({ vpcs: 0, subnets: 3, gateways: 0 });
      expect(await listed(1, OWN_ACCOUNT)).toEqual(['net-1']);
      expect(await listed(2, OWN_ACCOUNT)).toEqual([]);

      await destroy(1, OWN_ACCOUNT);
      expect(await seen(1, OWN_ACCOUNT)).toBeNull();
      expect(await left()).toEqual(NOTHING);
      expect(await customersVpc()).toHaveLength(1);
    });

    it('are in a free range without a given one, and stay there', async () => {
      const free = { layout: { vpc_id, range: 'free' as const } };
      await bench.ec2.createSubnet({ VpcId: vpc_id, CidrBlock: '10.1.1.0/26' });

      const networks = [await inside(1, free), await inside(257, free)];
      expect(networks.map(({ attributes }) => attributes.cidr)).toEqual(['10.1.2.0/24', '10.1.3.0/24']);

      bench.proxy.refuseNext('CreateSubnet', 'InternalError');
      await expect(inside(513, free)).rejects.toMatchObject({ name: 'CloudError' });
      await bench.ec2.createSubnet({ VpcId: vpc_id, CidrBlock: '10.1.5.0/24' });
      expect((await inside(513, free)).attributes.cidr).toBe('10.1.4.0/24');
      expect((await inside(1, free)).attributes.cidr).toBe('10.1.2.0/24');
    });

    it('are refused when the VPC has no free range', async () => {
      const small = (await bench.ec2.createVpc({ CidrBlock: '10.9.9.0/24' })).Vpc?.VpcId ?? '';
      const free = { layout: { vpc_id: small, range: 'free' as const } };
      await inside(1, free);

      await expect(inside(2, free)).rejects.toMatchObject({
        refusal: { code: 'invalid' },
        message: expect.stringContaining('no free range'),
      });
    });

    it('exist once after a lost reply', async () => {
      bench.proxy.loseNextReply();
      await expect(inside(1)).rejects.toMatchObject({ refusal: { code: 'unavailable' } });

      expect(await inside(1)).toMatchObject({ state: 'active' });
      expect(await left()).toEqual({ vpcs: 0, subnets: 3, gateways: 0 });
    });

    it('stay in deletion while a subnet is in use', async () => {
      await inside(1);
      bench.proxy.refuseNext('DeleteSubnet', 'DependencyViolation');

      await destroy(1, OWN_ACCOUNT);
      expect(await seen(1, OWN_ACCOUNT)).toMatchObject({ state: 'deleting' });

      await destroy(1, OWN_ACCOUNT);
      expect(await left()).toEqual(NOTHING);
    });

    it('name the subnet that has their addresses', async () => {
      const taken = await bench.ec2.createSubnet({ VpcId: vpc_id, CidrBlock: '10.1.7.128/25' });

      await expect(inside(1)).rejects.toMatchObject({
        refusal: { code: 'invalid' },
        message: expect.stringMatching(`10.1.7.128/26 overlaps .*${taken.Subnet?.SubnetId} .10.1.7.128/25`),
      });
      await destroy(1, OWN_ACCOUNT);
      expect(await left()).toEqual(NOTHING);
    });

    it.each([
      ['too small', { cidr: '10.1.7.0/27' }, 'too small'],
      ['outside the VPC', { cidr: '10.2.7.0/24' }, 'outside'],
      [
        'of a VPC that this region does not have',
        { layout: { vpc_id: 'vpc-0123456789abcdef0', range: 'given' as const } },
        'has no VPC',
      ],
    ])('are refused with a range %s', async (_what, over, words) => {
      await expect(inside(1, over)).rejects.toMatchObject({
        refusal: { code: 'invalid' },
        message: expect.stringContaining(words),
      });
      await destroy(1, OWN_ACCOUNT);
      expect(await left()).toEqual(NOTHING);
    });
  });
});
