import { describeOne, type EndpointServiceSpec } from '@libs/cloud';
import { MotoServer, skippedSuite } from '@libs/testing';
import { at, AwsBench, INSTALLATION, REGION } from '../../../test/aws-bench.fixture.js';
import { OTHER_ACCOUNT } from '../../../test/moto-account.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);
const TAGS = { installation: INSTALLATION, deployment_id: 7 };
const [ONE, TWO] = ['arn:aws:iam::111122223333:root', 'arn:aws:iam::444455556666:root'];
const SPEC: EndpointServiceSpec = {
  ...{ load_balancer: 'balancer', region: REGION, acceptance_required: true, allowed_principals: [ONE] },
};

describeWithMoto('endpoint services at AWS, on Moto', () => {
  let bench: AwsBench;
  beforeAll(async () => {
    bench = await AwsBench.open();
  });
  beforeEach(() => bench.empty());
  afterAll(() => bench.close());

  async function balancer(): Promise<string> {
    const zones = ['a', 'b'];
    const shared = { region: REGION, cidr: '10.1.7.0/24', zones, layout: 'shared' as const };
    await bench.driver().ensure('network', at('net'), shared, TAGS);
    return balancerIn('net');
  }
  async function balancerIn(network: string): Promise<string> {
    const listener = { port: 1883, target_port: 1883, protocol: 'tcp' as const, targets: ['node'] };
    const listeners = [{ ...listener, health_check_port: 1883 }];
    const spec = { region: REGION, network, scheme: 'internal' as const, listeners };
    return (await bench.driver().ensure('load_balancer', at('balancer'), spec, TAGS)).id;
  }
  const ensure = (over: Partial<EndpointServiceSpec> = {}) =>
    bench.driver().ensure('endpoint_service', at('service'), { ...SPEC, ...over }, TAGS);
  const destroy = () => bench.driver().destroy('endpoint_service', at('service'));
  const seen = () => describeOne(bench.driver(), 'endpoint_service', at('service'));
  const services = async () =>
    (await bench.ec2.describeVpcEndpointServiceConfigurations({})).ServiceConfigurations ?? [];
  const principals = async (ServiceId: string): Promise<string[]> => {
    const { AllowedPrincipals = [] } = await bench.ec2.describeVpcEndpointServicePermissions({ ServiceId });
    return AllowedPrincipals.map(({ Principal = '' }) => Principal).sort();
  };

  it('are over the balancer, and name themselves', async () => {
    const arn = await balancer();
    const service = await ensure();

    expect(service).toMatchObject({
      ...{ state: 'active', tags: TAGS },
      attributes: { service_id: service.id, service_name: `com.amazonaws.vpce.${REGION}.${service.id}` },
    });
    expect(await services()).toMatchObject([{ NetworkLoadBalancerArns: [arn], AcceptanceRequired: true }]);
  });

  it('keep their principals and their acceptance as specified, also after a change at AWS', async () => {
    await balancer();
    const { id } = await ensure();
    expect(await principals(id)).toEqual([ONE]);

    await ensure({ allowed_principals: [TWO], acceptance_required: false });
    expect(await principals(id)).toEqual([TWO]);
    expect(await services()).toMatchObject([{ AcceptanceRequired: false }]);

    await bench.ec2.modifyVpcEndpointServicePermissions({ ServiceId: id, AddAllowedPrincipals: [ONE] });
    await ensure({ allowed_principals: [TWO] });
    expect(await principals(id)).toEqual([TWO]);

    await ensure({ allowed_principals: [] });
    expect(await principals(id)).toEqual(['*']);
    expect(await services()).toHaveLength(1);
  });

  it('show their consumers in each state', async () => {
    await balancer();
    const { id } = await ensure();
    const { connections } = bench.proxy;
    const endpoint = connections.connect(id, OTHER_ACCOUNT);
    const consumer = {
      owner: OTHER_ACCOUNT,
      network: null,
      endpoint,
      connection_id: expect.stringMatching(/^vpce-con-/),
    };
    connections.connect('vpce-svc-of-somebody', OTHER_ACCOUNT);

    for (const [at_aws, status] of [
      ['pendingAcceptance', 'pending'],
      ['pending', 'accepted'],
      ['available', 'accepted'],
      ['rejected', 'rejected'],
      ['failed', 'needs_attention'],
      ['expired', 'closed'],
      ['deleting', 'closed'],
      ['deleted', 'closed'],
    ] as const) {
      connections.becomes(endpoint, at_aws);
      expect((await seen())?.attributes.consumers).toEqual([{ ...consumer, status }]);
    }
  });

  it('follow their owner, who accepts a consumer at AWS', async () => {
    await balancer();
    const { id } = await ensure();
    const VpcEndpointIds = [bench.proxy.connections.connect(id, OTHER_ACCOUNT)];
    const body = new URLSearchParams({
      ...{ Action: 'AcceptVpcEndpointConnections', Version: '2016-11-15', ServiceId: id },
      'VpcEndpointId.1': VpcEndpointIds[0] ?? '',
    });

    await fetch(bench.proxy.endpoint, { method: 'POST', body });

    expect((await seen())?.attributes.consumers).toMatchObject([{ status: 'accepted' }]);
  });

  it('reject their consumers before their deletion, and wait while AWS keeps one', async () => {
    await balancer();
    const { id } = await ensure();
    const { connections } = bench.proxy;
    const [waiting, closed] = [
      connections.connect(id, OTHER_ACCOUNT),
      connections.connect(id, OTHER_ACCOUNT, 'deleted'),
    ];
    bench.proxy.refuseNext('RejectVpcEndpointConnections', 'InternalError');
    await expect(destroy()).rejects.toMatchObject({ name: 'CloudError' });
    expect(await seen()).toMatchObject({ state: 'deleting', attributes: { consumers: [{ status: 'pending' }, {}] } });

    await destroy();

    expect(await seen()).toBeNull();
    expect(await services()).toEqual([]);
    expect(connections.stateOf(waiting)).toBe('rejected');
    expect(connections.stateOf(closed)).toBe('deleted');
  });

  it('wait for their balancer, which waits for its network', async () => {
    await expect(balancerIn('net')).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
    await bench.driver().destroy('load_balancer', at('balancer'));
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
    await destroy();
    expect(await bench.rows('select name from aws_resources')).toEqual([]);
  });

  it('name the quota of the account', async () => {
    await balancer();
    bench.proxy.refuseNext('CreateVpcEndpointServiceConfiguration', 'VpcEndpointServiceLimitExceeded');

    await expect(ensure()).rejects.toMatchObject({
      refusal: { code: 'quota', name: 'VpcEndpointServiceLimitExceeded' },
    });
  });
});
