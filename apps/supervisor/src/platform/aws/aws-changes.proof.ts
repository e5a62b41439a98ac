import { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { BalancerListener, FirewallIngress, NodeResourceSpec } from '@libs/cloud';
import { MotoServer, skippedSuite } from '@libs/testing';
import { at, AwsBench, INSTALLATION, REGION } from '../../../test/aws-bench.fixture.js';
import { KEYS } from '../../../test/moto-account.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);
const TAGS = { installation: INSTALLATION, deployment_id: 7 };

/** What changes in place while a deployment lives. */
describeWithMoto('The firewall and the balancer of a deployment at AWS, on Moto', () => {
  let bench: AwsBench;
  let elb: ElasticLoadBalancingV2;
  beforeAll(async () => {
    bench = await AwsBench.open();
    elb = new ElasticLoadBalancingV2({ endpoint: bench.moto.endpoint, region: REGION, credentials: KEYS });
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.empty();
    const network = { region: REGION, cidr: '10.1.0.0/24', zones: ['a', 'b'] };
    await bench.driver().ensure('network', at('network'), network, TAGS);
  });

  const protect = (ingress: FirewallIngress[]) =>
    bench.driver().ensure('firewall', at('firewall'), { network: 'network', ingress }, TAGS);
  /** `<port> <range>` of each rule for clients. */
  async function rules(id: string): Promise<string[]> {
    const { SecurityGroups = [] } = await bench.ec2.describeSecurityGroups({ GroupIds: [id] });
    const permissions = SecurityGroups.flatMap(({ IpPermissions = [] }) => IpPermissions);
    return permissions.flatMap(({ FromPort, IpRanges = [] }) => IpRanges.map(({ CidrIp }) => `${FromPort} ${CidrIp}`));
  }
  const node = async (name: string, node_id: number): Promise<string> => {
    const spec: NodeResourceSpec = {
      ...{ node_id, incarnation: 1, broker: 'embedded', variant: 'small', cpus: 2, memory_mib: 4096 },
      ...{ is_dedicated: false, region: REGION, zone: 'a', image_id: '', network: 'network', firewall: 'firewall' },
      ...{ memory_floor_mib: 0, ports: [20_000], token: 'token', storage: { type: 'network_balanced', size_gib: 10 } },
    };
    return (await bench.driver().ensure('node', at(name), spec, { ...TAGS, node_id })).id;
  };
  const listener = (port: number, more: Partial<BalancerListener> = {}): BalancerListener => ({
    ...{ port, target_port: 20_000, protocol: 'tcp', targets: ['one', 'two'], health_check_port: 20_000 },
    ...more,
  });
  const balance = (...listeners: BalancerListener[]) => {
    const spec = { region: REGION, network: 'network', scheme: 'internet' as const, listeners };
    return bench.driver().ensure('load_balancer', at('balancer'), spec, TAGS);
  };
  /** By port: the port of the targets and the instances, as AWS has them. */
  async function listeners(
    LoadBalancerArn: string,
  ): Promise<Record<number, { port: number | undefined; instances: string[] }>> {
    const { Listeners = [] } = await elb.describeListeners({ LoadBalancerArn });
    const all = Listeners.map(async ({ Port = 0, DefaultActions = [] }) => {
      const TargetGroupArn = DefaultActions[0]?.TargetGroupArn ?? '';
      const { TargetGroups = [] } = await elb.describeTargetGroups({ TargetGroupArns: [TargetGroupArn] });
      const { TargetHealthDescriptions = [] } = await elb.describeTargetHealth({ TargetGroupArn });
      const instances = TargetHealthDescriptions.map(({ Target }) => Target?.Id ?? '').sort();
      return [Port, { port: TargetGroups[0]?.Port, instances }] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  }

  it('open and close ports to ranges', async () => {
    const { id } = await protect([{ protocol: 'tcp', port: 1883, cidrs: ['192.0.2.0/24', '198.51.100.0/24'] }]);
    expect((await rules(id)).sort()).toEqual(['1883 192.0.2.0/24', '1883 198.51.100.0/24']);

    await protect([{ protocol: 'tcp', port: 8080, cidrs: ['192.0.2.0/24'] }]);

    expect(await rules(id)).toEqual(['8080 192.0.2.0/24']);
  });

  it('lead each port to the wanted port of the wanted nodes, and lose the other ports', async () => {
    await protect([]);
    const [one, two] = [await node('one', 1), await node('two', 2)];
    const { id } = await balance(listener(1883), listener(8080));
    const both = { port: 20_000, instances: [one, two].sort() };
    expect(await listeners(id)).toEqual({ 1883: both, 8080: both });

    await balance(listener(1883, { targets: ['two'] }));
    expect(await listeners(id)).toEqual({ 1883: { port: 20_000, instances: [two] } });

    await balance(listener(1883, { target_port: 20_001 }));
    expect(await listeners(id)).toEqual({ 1883: { ...both, port: 20_001 } });
  });

  it('find the group of targets whose answer was lost', async () => {
    await protect([]);
    const one = await node('one', 1);
    const { id } = await balance(listener(1883, { targets: ['one'] }));
    const changed = listener(1883, { targets: ['one'], target_port: 20_001 });
    bench.proxy.loseNextReply();
    await expect(balance(changed)).rejects.toMatchObject({ refusal: { code: 'unavailable' } });

    await balance(changed);

    expect(await listeners(id)).toEqual({ 1883: { port: 20_001, instances: [one] } });
    const made = bench.proxy.creations.filter(({ action }) => action === 'CreateTargetGroup');
    expect(made).toHaveLength(2);
  });
});
