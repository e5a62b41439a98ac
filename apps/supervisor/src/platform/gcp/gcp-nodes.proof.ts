import type { NodeResourceSpec, Resource } from '@libs/cloud';
import { at, GcpBench, INSTALLATION, REGION } from '../../../test/gcp-bench.fixture.js';

const TAGS = { installation: INSTALLATION, deployment_id: 7, node_id: 1 };
const SPEC: NodeResourceSpec = {
  ...{
    node_id: 1,
    incarnation: 1,
    broker: 'embedded',
    variant: 'medium',
    cpus: 2,
    memory_mib: 8192,
    is_dedicated: true,
  },
  ...{ region: REGION, zone: 'a', image_id: 'image', network: 'net', firewall: 'fw', memory_floor_mib: 16 },
  ...{ storage: { type: 'network_balanced', size_gib: 10 }, ports: [1883], token: 'unused' },
};
const MOST_CALLS = 20;

describe('A node at Google Cloud', () => {
  let bench: GcpBench;
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  beforeEach(async () => {
    await bench.empty({ operationMs: 0 });
    const network = { region: REGION, cidr: '10.1.0.0/24', zones: ['a'] };
    for (let call = 0; call < 3; call += 1) await bench.driver().ensure('network', at('net'), network, TAGS);
    for (let call = 0; call < 2; call += 1)
      await bench.driver().ensure('firewall', at('fw'), { network: 'net', ingress: [] }, TAGS);
  });
  afterEach(() => {
    expect(bench.compute.faults).toEqual([]);
  });
  afterAll(() => bench.close());

  const ensure = (over: Partial<NodeResourceSpec> = {}): Promise<Resource<'node'>> =>
    bench.driver().ensure('node', at('node-1'), { ...SPEC, ...over }, TAGS);
  const seen = async () => (await bench.driver().describe('node', [at('node-1')])).get('node-1');
  /** Asks until the node is as it should be. */
  async function ready(over: Partial<NodeResourceSpec> = {}): Promise<Resource<'node'>> {
    for (let calls = 0; calls < MOST_CALLS; calls += 1) {
      const node = await ensure(over);
      if (node.state === 'active') return node;
    }
    throw new TypeError(`not active: ${JSON.stringify(await seen())}`);
  }
  const instance = () => bench.compute.resources('instances')[0];
  const mutations = () =>
    bench.compute.requests
      .filter(({ id, status }) => status === 200 && !/\.(get|list|aggregatedList)$/.test(id))
      .map(({ id }) => id.replace('compute.', ''));

  it('is an instance without a service account, with a disk of its own, and names its owner', async () => {
    const node = await ready();

    expect(node.attributes).toMatchObject({
      private_ip: '10.1.0.2',
      zone: `${REGION}-a`,
      public_ip: expect.any(String),
    });
    expect(instance()?.['serviceAccounts'] ?? []).toEqual([]);
    expect(instance()).toMatchObject({ labels: { 'landlord-deployment': '7', 'landlord-node': '1' } });
    expect(JSON.parse(String(instance()?.['description']))).toEqual({
      ...{ landlord: INSTALLATION, kind: 'node', name: 'node-1', part: 'node', deployment: 7, node: 1 },
    });
    expect(mutations().filter((id) => id.startsWith('instances'))).toEqual(['instances.insert']);
    expect(bench.compute.resources('disks').map((one) => one['sizeGb'])).toEqual(expect.arrayContaining(['10', '16']));
  });

  it('gets the next type when its zone has no more of the first, and the refusal names both', async () => {
    bench.compute.stockOut(`${REGION}-a`, 'n2-standard-2');

    await ensure();
    await expect(ensure()).rejects.toMatchObject({
      refusal: { code: 'capacity', what: 'n2-standard-2', zone: `${REGION}-a` },
    });
    const node = await ready();

    expect(node.state).toBe('active');
    expect(String(instance()?.['machineType'])).toMatch(/e2-standard-2$/);
  });

  it('leaves nothing in a zone without room when it gets an instance in another zone', async () => {
    bench.compute.failNextOperation('compute.instances.insert', 'ZONE_RESOURCE_POOL_EXHAUSTED');
    await ensure();
    await expect(ensure()).rejects.toMatchObject({ code: 'capacity' });

    const node = await ready({ zone: 'b' });

    expect(node.attributes.zone).toBe(`${REGION}-b`);
    const zones = bench.compute.resources('disks').map((one) => String(one['zone']).split('/').at(-1));
    expect(new Set(zones)).toEqual(new Set([`${REGION}-b`]));
  });

  it.each([
    ['QUOTA_EXCEEDED', "Quota 'CPUS' exceeded.", { code: 'quota', name: 'CPUS' }],
    ['INTERNAL_ERROR', 'Internal error.', { code: 'unavailable' }],
  ])('fails with the error %s of its operation, and is created by a later call', async (code, message, refusal) => {
    bench.compute.failNextOperation('compute.instances.insert', code, message);
    await ensure();

    await expect(ensure()).rejects.toMatchObject({ refusal });

    expect((await ready()).state).toBe('active');
  });

  it('is created once when Google forgets the operation', async () => {
    await ensure();
    bench.compute.forgetOperations();

    await ready();

    expect(mutations().filter((id) => id === 'instances.insert')).toHaveLength(1);
  });

  it('gets another type and a larger disk in place', async () => {
    const { id } = await ready();
    const number = instance()?.id;
    bench.compute.change('instances', String(instance()?.name), (one) => {
      one['machineType'] = String(one['machineType']).replace('n2-standard-2', 'n2-standard-4');
    });

    const node = await ready({ storage: { type: 'network_balanced', size_gib: 20 } });

    expect([node.id, instance()?.id]).toEqual([id, number]);
    expect(String(instance()?.['machineType'])).toMatch(/n2-standard-2$/);
    const steps = mutations().filter((one) => /stop|setMachineType|start|resize/.test(one));
    expect(steps).toEqual(['disks.resize', 'instances.stop', 'instances.setMachineType', 'instances.start']);
    expect(bench.compute.resources('disks').map((one) => one['sizeGb'])).toContain('20');
  });

  it('starts again after somebody has stopped the instance, and gets its disk again', async () => {
    await ready();
    bench.compute.change('instances', String(instance()?.name), (one) => {
      one['status'] = 'TERMINATED';
      one['disks'] = (one['disks'] as { boot?: boolean }[]).filter(({ boot }) => boot);
    });
    expect(await seen()).toMatchObject({ state: 'pending', reason: expect.stringContaining('is stopped') });

    await ready();

    expect(mutations().filter((id) => /start|attachDisk/.test(id))).toEqual([
      'instances.start',
      'instances.attachDisk',
    ]);
  });

  it.each([
    ['instance', 'instances', /has deleted the instance/],
    ['data disk', 'disks', /has deleted the data disk/],
  ])('has failed when somebody has deleted its %s', async (_what, collection, reason) => {
    await ready();
    const disk = bench.compute.resources('disks').find((one) => one['sizeGb'] === '10');
    if (collection === 'disks')
      bench.compute.change('instances', String(instance()?.name), (one) => {
        one['disks'] = (one['disks'] as { boot?: boolean }[]).filter(({ boot }) => boot);
      });
    bench.compute.remove(collection, String(collection === 'disks' ? disk?.name : instance()?.name));

    expect(await seen()).toMatchObject({ state: 'failed', reason: expect.stringMatching(reason) });
    const made = mutations().length;
    await ensure();
    expect(mutations().slice(made)).not.toContain('instances.insert');
  });

  it('ends the earlier instance and its disk before the next one exists', async () => {
    await ready();
    const earlier = instance()?.id;

    await ready({ incarnation: 2 });

    expect(bench.compute.resources('instances').map(({ id }) => id)).toEqual([
      expect.not.stringMatching(String(earlier)),
    ]);
    const steps = mutations().filter((id) => /(instances|disks)\.(insert|delete)/.test(id));
    expect(steps).toEqual(['instances.insert', 'instances.delete', 'disks.delete', 'instances.insert']);
  });

  it('is refused when its name belongs to a resource of somebody else', async () => {
    await ready();
    bench.compute.change('instances', String(instance()?.name), (one) => (one['description'] = 'mine'));
    await bench.rows("delete from aws_resources where kind = 'node'");

    await expect(ensure()).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('not of Landlord'),
    });

    expect(bench.compute.resources('instances')).toHaveLength(1);
  });
});
