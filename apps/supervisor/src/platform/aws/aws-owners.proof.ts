import { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2';
import { describeOne, type AwsProvider, type Resource, type ResourceKind, type ResourceSpecs } from '@libs/cloud';
import { MotoServer, skippedSuite, WorkflowBench } from '@libs/testing';
import { at, AwsBench, INSTALLATION, REGION } from '../../../test/aws-bench.fixture.js';
import { KEYS } from '../../../test/moto-account.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);
const OTHER = 'other';
const NAMES: Partial<Record<ResourceKind, string>> = {
  ...{ network: 'net', firewall: 'group', node: 'node-1', address: 'address', load_balancer: 'balancer' },
};
const KINDS = Object.keys(NAMES) as (keyof ResourceSpecs)[];
const SPECS = {
  network: { region: REGION, cidr: '10.1.7.0/24', zones: ['a', 'b'], layout: 'shared' },
  firewall: { network: 'net', ingress: [{ protocol: 'tcp', port: 1883, cidrs: ['0.0.0.0/0'] }] },
  node: {
    ...{ node_id: 1, incarnation: 1, broker: 'embedded', variant: 'small', cpus: 2, memory_mib: 4096 },
    ...{ is_dedicated: false, region: REGION, zone: 'a', image_id: '', network: 'net', firewall: 'group' },
    ...{ memory_floor_mib: 0, ports: [], token: 'token', storage: { type: 'network_balanced', size_gib: 10 } },
  },
  address: { region: REGION, node: 'node-1' },
  load_balancer: {
    ...{ region: REGION, network: 'net', scheme: 'internet' },
    listeners: [{ port: 1883, target_port: 1883, protocol: 'tcp', targets: ['node-1'], health_check_port: 1883 }],
  },
} as unknown as ResourceSpecs;

describeWithMoto('the owner of resources at AWS, on Moto', () => {
  let bench: AwsBench;
  let second: WorkflowBench;
  beforeAll(async () => {
    [bench, second] = await Promise.all([AwsBench.open(), WorkflowBench.open()]);
  });
  beforeEach(async () => {
    await bench.empty();
    for (const table of ['aws_resources', 'cloud_call_slots', 'machine_reservations'])
      await second.rows(`delete from ${table}`);
  });
  afterAll(async () => {
    await second.close();
    await bench.close();
  });

  const driverOf = (installation: string): AwsProvider =>
    installation === INSTALLATION ? bench.driver() : bench.driver(installation, second);
  const nameOf = (kind: ResourceKind): string => NAMES[kind] ?? '';
  /** Everything that a deployment has, and its ids by kind. */
  async function order(installation: string): Promise<Record<string, string>> {
    const cloud = driverOf(installation);
    const tags = { installation, deployment_id: 7 };
    const ids: Record<string, string> = {};
    for (const kind of [...KINDS, ...KINDS])
      ids[kind] = (await cloud.ensure(kind, at(nameOf(kind)), SPECS[kind], tags)).id;
    return ids;
  }
  /** The ids that the driver finds, by kind. */
  async function seen(installation: string): Promise<Record<string, string | undefined>> {
    const cloud = driverOf(installation);
    const ids: Record<string, string | undefined> = {};
    for (const kind of KINDS) ids[kind] = (await describeOne(cloud, kind, at(nameOf(kind))))?.id;
    return ids;
  }
  async function destroy(installation: string): Promise<void> {
    const cloud = driverOf(installation);
    for (let round = 0; round < 3; round += 1)
      for (const kind of [...KINDS].reverse()) await cloud.destroy(kind, at(nameOf(kind)));
  }
  /** All that the account has, whosever it is. */
  async function inAccount() {
    const { ec2 } = bench;
    const { Reservations = [] } = await ec2.describeInstances({});
    const instances = Reservations.flatMap(({ Instances = [] }) => Instances);
    const groups = (await ec2.describeSecurityGroups({})).SecurityGroups ?? [];
    const balancers = new ElasticLoadBalancingV2({
      ...{ endpoint: bench.moto.endpoint, region: REGION, credentials: KEYS },
    });
    return {
      vpcs: (await ec2.describeVpcs({})).Vpcs?.filter(({ IsDefault }) => !IsDefault).length,
      groups: groups.filter(({ GroupName = '' }) => GroupName.startsWith('ld-')).length,
      instances: instances.filter(({ State }) => State?.Name === 'running').length,
      // A root disk and a data volume for each instance.
      volumes: (await ec2.describeVolumes({})).Volumes?.length,
      addresses: (await ec2.describeAddresses({})).Addresses?.length,
      balancers: (await balancers.describeLoadBalancers({})).LoadBalancers?.length,
    };
  }
  const ONE = { vpcs: 1, groups: 1, instances: 1, volumes: 2, addresses: 1, balancers: 1 };
  const TWO = { vpcs: 2, groups: 2, instances: 2, volumes: 4, addresses: 2, balancers: 2 };

  it('has its own resources beside those of another installation with the same names', async () => {
    const mine = await order(INSTALLATION);
    const theirs = await order(OTHER);

    expect(KINDS.filter((kind) => mine[kind] === theirs[kind])).toEqual([]);
    expect(await inAccount()).toEqual(TWO);
    expect([await seen(INSTALLATION), await seen(OTHER)]).toEqual([mine, theirs]);
  });

  it('deletes only its own, also when it has forgotten their ids', async () => {
    await order(INSTALLATION);
    const theirs = await order(OTHER);
    await bench.rows(`update aws_resources set parts = '{}' where kind = 'node' or kind = 'address'`);

    await destroy(INSTALLATION);

    expect(await inAccount()).toEqual(ONE);
    expect(await seen(OTHER)).toEqual(theirs);
    expect(await bench.rows('select name from aws_resources')).toEqual([]);
    await destroy(OTHER);
    expect(await inAccount()).toEqual({ vpcs: 0, groups: 0, instances: 0, volumes: 0, addresses: 0, balancers: 0 });
  });

  /** All pages. */
  async function inventory(): Promise<Resource[]> {
    let cursor: string | null = null;
    const listed: Resource[] = [];
    do {
      const page = await bench.driver().inventory(at('').at, { installation: INSTALLATION }, cursor);
      listed.push(...page.resources);
      cursor = page.next;
    } while (cursor !== null);
    return listed;
  }

  it('does not list the resources of another installation', async () => {
    await order(OTHER);

    expect(await inventory()).toEqual([]);
  });

  it('lists the balancers of all pages, and asks for no balancer of others', async () => {
    await order(OTHER);
    const { Subnets = [] } = await bench.ec2.describeSubnets({
      Filters: [{ Name: 'tag-key', Values: ['landlord:kind'] }],
    });
    const elb = new ElasticLoadBalancingV2({ endpoint: bench.moto.endpoint, region: REGION, credentials: KEYS });
    const names = Array.from({ length: 25 }, (_, index) => `balancer-${index + 1}`);
    for (const name of names) {
      const tags = { installation: INSTALLATION, deployment: '7', kind: 'load_balancer', part: 'load_balancer', name };
      await elb.createLoadBalancer({
        ...{ Name: name, Type: 'network', Subnets: Subnets.map(({ SubnetId = '' }) => SubnetId) },
        Tags: Object.entries(tags).map(([key, Value]) => ({ Key: `landlord:${key}`, Value })),
      });
    }
    bench.proxy.calls.length = 0;

    const listed = (await inventory()).filter(({ kind }) => kind === 'load_balancer');

    expect(listed.map(({ name }) => name).sort()).toEqual([...names].sort());
    const asked = bench.proxy.calls.filter(({ action }) => action === 'DescribeLoadBalancers');
    const arns = asked.flatMap(({ parameters }) => [...parameters].filter(([key]) => /Arns/.test(key)));
    expect(arns.length).toBe(names.length);
    expect(asked.length).toBe(2);
  });

  it('finds what it remembers after somebody has removed all tags, makes no second one, and deletes it', async () => {
    const ids = await order(INSTALLATION);
    const creations = bench.proxy.creations.length;
    const keys = ['installation', 'kind', 'name', 'part', 'deployment', 'node'].map((key) => `landlord:${key}`);
    const Filters = [{ Name: 'key', Values: ['landlord:installation'] }];
    const { Tags = [] } = await bench.ec2.describeTags({ Filters });
    const Resources = [...new Set(Tags.map(({ ResourceId = '' }) => ResourceId))];
    await bench.ec2.deleteTags({ Resources, Tags: keys.map((Key) => ({ Key })) });
    const elb = new ElasticLoadBalancingV2({ endpoint: bench.moto.endpoint, region: REGION, credentials: KEYS });
    await elb.removeTags({ ResourceArns: [ids['load_balancer'] ?? ''], TagKeys: keys });

    expect(await seen(INSTALLATION)).toEqual(ids);
    expect(await order(INSTALLATION)).toEqual(ids);
    expect(bench.proxy.creations.length).toBe(creations);
    expect(await inAccount()).toEqual(ONE);

    await destroy(INSTALLATION);
    expect(await inAccount()).toEqual({ vpcs: 0, groups: 0, instances: 0, volumes: 0, addresses: 0, balancers: 0 });
  });

  it('says in plain words that its clock is wrong, or that a region is not enabled', async () => {
    bench.proxy.refuseNext('CreateVpc', 'RequestExpired');
    await expect(order(INSTALLATION)).rejects.toMatchObject({
      refusal: { code: 'unavailable' },
      message: expect.stringMatching(/^AWS ec2:CreateVpc: RequestExpired: .*The clock of this host may be wrong/),
    });
    bench.proxy.closedRegions.add(REGION);
    await expect(order(INSTALLATION)).rejects.toMatchObject({
      refusal: { code: 'denied' },
      message: expect.stringContaining(`The region ${REGION} may not be enabled in the account`),
    });
  });
});
