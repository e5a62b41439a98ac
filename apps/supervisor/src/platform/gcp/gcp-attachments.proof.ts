import { describeOne, type Resource, type ResourceSpecs } from '@libs/cloud';
import { at, GcpBench, INSTALLATION, REGION, THEIR_PROJECT } from '../../../test/gcp-bench.fixture.js';

const TAGS = { installation: INSTALLATION, deployment_id: 7 };
type Spec = ResourceSpecs['service_attachment'];
const SPEC: Spec = {
  ...{ load_balancer: 'balancer', region: REGION, connection_preference: 'accept_manual' },
  ...{ consumer_accept_lists: [THEIR_PROJECT], enable_proxy_protocol: true },
};
const KINDS = ['forwardingRules', 'backendServices', 'healthChecks', 'addresses', 'serviceAttachments', 'subnetworks'];

describe('service attachments at Google Cloud, on the fake of Compute Engine', () => {
  let bench: GcpBench;
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.empty({ operationMs: 0 }));
  afterEach(() => expect(bench.compute.faults).toEqual([]));

  /** Calls until the resource is active. */
  async function active<T extends { state: string }>(call: () => Promise<T>): Promise<T> {
    let last: T | null = null;
    for (let calls = 0; calls < 12; calls += 1) {
      last = await call();
      if (last.state === 'active') return last;
    }
    throw new TypeError(`the resource is not active: ${JSON.stringify(last)}`);
  }
  async function balancer(scheme: 'internal' | 'internet' = 'internet'): Promise<void> {
    const network = { region: REGION, cidr: '10.1.7.0/24', zones: ['a'], layout: 'own' as const };
    await active(() => bench.driver().ensure('network', at('net'), network, TAGS));
    const listener = {
      port: 1883,
      target_port: 1883,
      protocol: 'tcp' as const,
      targets: ['node'],
      health_check_port: 1883,
    };
    const spec = { region: REGION, network: 'net', scheme, listeners: [listener] };
    await active(() => bench.driver().ensure('load_balancer', at('balancer'), spec, TAGS));
  }
  const ensure = (over: Partial<Spec> = {}, name = 'service') =>
    bench.driver().ensure('service_attachment', at(name), { ...SPEC, ...over }, TAGS);
  const exists = (over: Partial<Spec> = {}, name = 'service'): Promise<Resource<'service_attachment'>> =>
    active(() => ensure(over, name));
  const seen = (name = 'service') => describeOne(bench.driver(), 'service_attachment', at(name));
  async function destroy(kind: 'service_attachment' | 'load_balancer' | 'network', name: string): Promise<void> {
    for (let calls = 0; calls < 8; calls += 1) await bench.driver().destroy(kind, at(name));
  }
  const attachments = () => bench.compute.resources('serviceAttachments');
  const rules = () => bench.compute.resources('forwardingRules');
  const connect = (project: string, name = String(attachments()[0]?.['name'])): void =>
    bench.compute.change('serviceAttachments', name, (one) => {
      const place = `https://www.googleapis.com/compute/v1/projects/${project}`;
      one.connectedEndpoints = [
        {
          ...{ endpoint: `${place}/regions/${REGION}/forwardingRules/their-endpoint`, pscConnectionId: '4711' },
          ...{ consumerNetwork: `${place}/global/networks/theirs`, status: 'PENDING' },
        },
      ];
    });
  const total = () => Object.fromEntries(KINDS.map((kind) => [kind, bench.compute.resources(kind).length]));

  it('have an internal rule over the same instances beside a public balancer', async () => {
    await balancer();
    const { attributes } = await exists();

    expect(
      rules()
        .map(({ loadBalancingScheme }) => loadBalancingScheme)
        .sort(),
    ).toEqual(['EXTERNAL', 'INTERNAL']);
    const inside = rules().find(({ loadBalancingScheme }) => loadBalancingScheme === 'INTERNAL');
    expect(inside).toMatchObject({ allPorts: true, IPProtocol: 'TCP' });
    expect(attachments()).toMatchObject([{ targetService: inside?.['selfLink'], enableProxyProtocol: true }]);
    expect(attributes.uri).toBe(
      `projects/landlord-test/regions/${REGION}/serviceAttachments/${attachments()[0]?.['name']}`,
    );
  });

  it('lead to the rule of an internal balancer, and make no other one', async () => {
    await balancer('internal');
    await exists();

    expect(rules()).toHaveLength(1);
    expect(attachments()).toMatchObject([{ targetService: rules()[0]?.['selfLink'] }]);
  });

  it('have different ranges for the addresses of consumers, outside of the range of the nodes', async () => {
    await balancer('internal');
    const ranges = [await exists({}, 'one'), await exists({}, 'two'), await exists({}, 'three')].flatMap(
      ({ attributes }) => attributes.nat_ranges,
    );

    expect(ranges).toHaveLength(3);
    expect(new Set(ranges).size).toBe(3);
    for (const range of ranges) expect(range).toMatch(/^10\.1\.7\.(1[3-9]\d|2\d\d|128|129)\/28$/);
    expect(new Set(attachments().map(({ natSubnets }) => JSON.stringify(natSubnets))).size).toBe(3);
  });

  it('have different ranges when two calls come at once', async () => {
    await balancer('internal');
    const both = ['one', 'two'].map(async (name) => {
      for (let calls = 0; calls < 12; calls += 1) {
        const one = await ensure({}, name).catch((error: { refusal: object }) => {
          expect(error).toMatchObject({ refusal: { code: expect.stringMatching(/^(unavailable|throttled)$/) } });
          return null;
        });
        if (one?.state === 'active') return one.attributes.nat_ranges.join();
      }
      return 'not active';
    });

    const [one, two] = await Promise.all(both);

    expect(one).toMatch(/\/28$/);
    expect(two).toMatch(/\/28$/);
    expect(one).not.toBe(two);
  });

  it('are refused when the network has no more room', async () => {
    await balancer('internal');
    // A half of 128 addresses has room for eight ranges.
    for (let index = 0; index < 8; index += 1) await exists({}, `service-${index}`);

    await expect(ensure({}, 'one-more')).rejects.toMatchObject({
      refusal: { code: 'invalid' },
      message: expect.stringContaining('has no room for another service attachment'),
    });
  });

  it('show their consumers in each state, and follow a change of the list', async () => {
    await balancer('internal');
    await exists({ consumer_accept_lists: ['somebody-else'] });
    connect(THEIR_PROJECT);
    const consumer = { connection_id: '4711', owner: THEIR_PROJECT, network: 'theirs', endpoint: 'their-endpoint' };
    expect((await seen())?.attributes.consumers).toEqual([{ ...consumer, status: 'pending' }]);

    await exists();
    await ensure();
    expect((await seen())?.attributes.consumers).toEqual([{ ...consumer, status: 'accepted' }]);
    expect(attachments()).toMatchObject([
      { consumerAcceptLists: [{ projectIdOrNum: THEIR_PROJECT, connectionLimit: 100 }], reconcileConnections: true },
    ]);

    await exists({ consumer_accept_lists: [] });
    await ensure({ consumer_accept_lists: [] });
    expect((await seen())?.attributes.consumers).toEqual([{ ...consumer, status: 'pending' }]);

    await exists({ consumer_accept_lists: [], connection_preference: 'accept_automatic' });
    await ensure({ consumer_accept_lists: [], connection_preference: 'accept_automatic' });
    expect((await seen())?.attributes.consumers).toEqual([{ ...consumer, status: 'accepted' }]);
    expect(attachments()).toHaveLength(1);
  });

  it('repair a list that somebody changed by hand', async () => {
    await balancer('internal');
    await exists();
    bench.compute.change('serviceAttachments', String(attachments()[0]?.['name']), (one) => {
      one.consumerAcceptLists = [{ projectIdOrNum: 'an-intruder', connectionLimit: 1 }];
    });

    await exists();
    await ensure();

    expect(attachments()).toMatchObject([{ consumerAcceptLists: [{ projectIdOrNum: THEIR_PROJECT }] }]);
  });

  it.each(['internet', 'internal'] as const)('leave nothing beside a balancer that is %s', async (scheme) => {
    await balancer(scheme);
    const before = total();
    await exists();

    await destroy('service_attachment', 'service');
    expect(await seen()).toBeNull();
    expect(total()).toEqual(before);

    await destroy('load_balancer', 'balancer');
    await destroy('network', 'net');
    expect(total()).toEqual(Object.fromEntries(KINDS.map((kind) => [kind, 0])));
    expect(await bench.rows('select name from aws_resources')).toEqual([]);
  });

  it('leave nothing when their creation stopped at any call', async () => {
    await balancer();
    const before = total();
    for (let calls = 1; calls < 8; calls += 1) {
      for (let count = 0; count < calls; count += 1) await ensure();

      await destroy('service_attachment', 'service');

      expect(await seen()).toBeNull();
      expect([`after ${calls} calls`, total()]).toEqual([`after ${calls} calls`, before]);
    }
  });

  it('wait for their balancer, and leave nothing', async () => {
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
    await destroy('service_attachment', 'service');
    expect(await bench.rows('select name from aws_resources')).toEqual([]);
  });

  it('name the quota that is used up', async () => {
    await balancer('internal');
    bench.compute.failNextOperation('compute.serviceAttachments.insert', 'QUOTA_EXCEEDED', "Quota 'PSC' exceeded.");

    const codes: string[] = [];
    for (let calls = 0; calls < 6; calls += 1)
      await ensure().catch((error: { refusal: { code: string } }) => codes.push(error.refusal.code));

    expect(codes).toEqual(['quota']);
    expect(await seen()).toMatchObject({ state: 'active' });
  });
});
