import type { EC2 } from '@aws-sdk/client-ec2';
import { describeOne, type NetworkLayout, type VpcPeeringSpec } from '@libs/cloud';
import { MotoServer, skippedSuite } from '@libs/testing';
import { at, AwsBench, INSTALLATION, REGION } from '../../../test/aws-bench.fixture.js';
import { OTHER_ACCOUNT, otherAccount } from '../../../test/moto-account.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);
const TAGS = { installation: INSTALLATION, deployment_id: 7 };
const RANGE = '10.1.7.0/24';
const PEER = '172.16.0.0/16';

describeWithMoto('peerings at AWS, on Moto with two accounts', () => {
  let bench: AwsBench;
  let theirs: EC2;
  let spec: VpcPeeringSpec;
  beforeAll(async () => {
    bench = await AwsBench.open();
  });
  beforeEach(async () => {
    await bench.empty();
    theirs = await otherAccount(bench.moto.endpoint);
    const { Vpc } = await theirs.createVpc({ CidrBlock: PEER });
    spec = {
      ...{ network: 'net', region: REGION, peer_region: REGION, peer_cidr: PEER },
      ...{ peer_vpc_id: Vpc?.VpcId ?? '', peer_owner_id: OTHER_ACCOUNT },
    };
  });
  afterAll(() => bench.close());

  const network = (layout: NetworkLayout = 'own') =>
    bench.driver().ensure('network', at('net'), { region: REGION, cidr: RANGE, zones: ['a'], layout }, TAGS);
  const ensure = (over: Partial<VpcPeeringSpec> = {}, name = 'peer') =>
    bench.driver().ensure('vpc_peering', at(name), { ...spec, ...over }, TAGS);
  const destroy = (name = 'peer') => bench.driver().destroy('vpc_peering', at(name));
  const seen = (name = 'peer') => describeOne(bench.driver(), 'vpc_peering', at(name));

  /** The peering that the route to the other side leads to. */
  const routed = async (): Promise<string | null> => {
    const { RouteTables = [] } = await bench.ec2.describeRouteTables({});
    const routes = RouteTables.flatMap(({ Routes = [] }) => Routes);
    return routes.find((route) => route.DestinationCidrBlock === PEER)?.VpcPeeringConnectionId ?? null;
  };
  const accept = (VpcPeeringConnectionId: string) => theirs.acceptVpcPeeringConnection({ VpcPeeringConnectionId });
  const reject = (VpcPeeringConnectionId: string) => theirs.rejectVpcPeeringConnection({ VpcPeeringConnectionId });

  it('wait for the other side, become active, have a route, and leave none', async () => {
    const { id: vpc_id } = await network();
    const { id } = await ensure();

    const requester = { vpc_id, owner_id: '123456789012', region: REGION, cidr: RANGE };
    expect(await seen()).toMatchObject({
      ...{ id, state: 'pending', tags: TAGS },
      attributes: { connection_id: id, status: 'pending_acceptance', requester },
    });
    await accept(id);
    expect(await seen()).toMatchObject({ state: 'active', attributes: { status: 'active' } });
    expect(await routed()).toBe(id);

    await destroy();
    expect(await seen()).toBeNull();
    expect(await routed()).toBeNull();
    const { VpcPeeringConnections } = await bench.ec2.describeVpcPeeringConnections({});
    expect(VpcPeeringConnections?.map(({ Status }) => Status?.Code)).toEqual(['deleted']);
    await bench.driver().destroy('network', at('net'));
    expect(await bench.rows('select name from aws_resources')).toEqual([]);
  });

  it('that were rejected stay described, are not requested again, and can be destroyed', async () => {
    await network();
    const { id } = await ensure();
    await reject(id);

    const rejected = await seen();
    expect(rejected).toMatchObject({ state: 'failed', attributes: { status: 'rejected' } });
    expect(await ensure()).toEqual(rejected);
    bench.proxy.hide(id);
    expect(await seen()).toEqual(rejected);
    expect(await ensure()).toEqual(rejected);
    expect(bench.proxy.counts.get('CreateVpcPeeringConnection')).toBe(1);

    bench.proxy.hideNew(false);
    await destroy();
    expect(await seen()).toBeNull();
    expect(await routed()).toBeNull();
  });

  it('that the other side removed are removed, and another one takes over the route', async () => {
    await network();
    const { id } = await ensure();
    await accept(id);
    await theirs.deleteVpcPeeringConnection({ VpcPeeringConnectionId: id });

    expect(await routed()).toBe(id);
    const next = await ensure({}, 'next');
    expect(await routed()).toBe(next.id);
    expect(await seen()).toMatchObject({ state: 'deleting', attributes: { status: 'deleted' } });
    expect(await routed()).toBe(next.id);

    await destroy();
    expect(await routed()).toBe(next.id);
    expect(await seen()).toBeNull();
  });

  it.each([
    ['rejected', async (id: string) => void (await reject(id)), 'failed'],
    [
      'removed',
      async (id: string) => {
        await accept(id);
        await theirs.deleteVpcPeeringConnection({ VpcPeeringConnectionId: id });
      },
      'deleting',
    ],
  ])('that the other side %s lose their route at the next look', async (_what, end, state) => {
    await network();
    const { id } = await ensure();
    await end(id);
    bench.proxy.refuseNext('DeleteRoute', 'UnauthorizedOperation');
    await expect(seen()).rejects.toMatchObject({ refusal: { code: 'denied' } });
    expect(await routed()).toBe(id);

    expect(await seen()).toMatchObject({ id, state });
    expect(await routed()).toBeNull();

    expect(await seen()).toMatchObject({ id, state });
    expect(await ensure()).toMatchObject({ id, state });
    expect(await routed()).toBeNull();
    expect(bench.proxy.counts.get('DeleteRoute')).toBe(2);
    await destroy();
    expect(await seen()).toBeNull();
  });

  it('have their route after its creation was refused once', async () => {
    await network();
    bench.proxy.refuseNext('CreateRoute', 'IncorrectState');
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });

    const { id } = await ensure();
    expect(await routed()).toBe(id);
    expect(bench.proxy.counts.get('CreateVpcPeeringConnection')).toBe(1);
  });

  it.each([
    ['a VPC that the account does not have', { peer_vpc_id: 'vpc-0123456789abcdef0' }, 'own', `has no VPC vpc-0123`],
    ['a VPC of another region', { peer_region: 'eu-west-1' }, 'own', 'has no VPC'],
    ['a range that overlaps', { peer_cidr: '10.1.0.0/16' }, 'own', '10.1.0.0/16 overlaps the range 10.1.7.0/24'],
    ['a shared network', {}, 'shared', 'shares its network'],
  ] as const)('to %s are refused, and leave nothing', async (_what, over, layout, words) => {
    await network(layout);

    await expect(ensure(over)).rejects.toMatchObject({
      refusal: { code: 'invalid' },
      message: expect.stringContaining(words),
    });
    await destroy();
    expect(await seen()).toBeNull();
    expect(await bench.rows(`select name from aws_resources where kind = 'vpc_peering'`)).toEqual([]);
    expect(bench.proxy.creations.map(({ action }) => action)).not.toContain('CreateVpcPeeringConnection');
  });

  it('wait for their network, and leave nothing', async () => {
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
    await destroy();
    expect(await bench.rows('select name from aws_resources')).toEqual([]);
  });

  it('are not in the inventory after their end', async () => {
    await network();
    const { id } = await ensure();
    const listed = async () =>
      (await bench.driver().inventory(at('').at, TAGS, JSON.stringify({ kind: 'vpc_peering', token: null }))).resources;

    expect((await listed()).map(({ name }) => name)).toEqual(['peer']);
    await reject(id);
    expect(await listed()).toEqual([]);
  });
});
