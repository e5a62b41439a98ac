import { describeOne, type GcpProvider, type NodeResourceSpec } from '@libs/cloud';
import { at, GcpBench, INSTALLATION, REGION } from '../../../test/gcp-bench.fixture.js';

const TAGS = { installation: INSTALLATION, deployment_id: 7, node_id: 1 };
const [NODE, ADDRESS] = ['node-1', 'address-1'];
const IS_CHANGE = /\.(?!get$|list$|aggregatedList$)\w+$/;
/** Enough calls for everything that a test asks for. */
const MOST_CALLS = 12;

describe('an address at Google Cloud, on the fake of Compute Engine', () => {
  let bench: GcpBench;
  let cloud: GcpProvider;
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.empty({ operationMs: 0 });
    cloud = bench.driver();
    const network = { region: REGION, cidr: '10.1.0.0/24', zones: ['a'], layout: 'own' as const };
    await until(() => cloud.ensure('network', at('network'), network, TAGS), isActive);
    const firewall = { network: 'network', ingress: [] };
    await until(() => cloud.ensure('firewall', at('firewall'), firewall, TAGS), isActive);
  });
  afterEach(() => expect(bench.compute.faults).toEqual([]));

  const isActive = ({ state }: { state: string }) => state === 'active';
  const spec = (incarnation: number): NodeResourceSpec => ({
    ...{ node_id: 1, incarnation, broker: 'embedded', variant: 'small', cpus: 2, memory_mib: 4096 },
    ...{ is_dedicated: false, region: REGION, zone: 'a', image_id: '', network: 'network', firewall: 'firewall' },
    memory_floor_mib: 0,
    ...{ ports: [20_000], token: 'token', storage: { type: 'network_balanced', size_gib: 10 } },
  });
  const ensureNode = (incarnation: number) => cloud.ensure('node', at(NODE), spec(incarnation), TAGS);
  const ensureAddress = () => cloud.ensure('address', at(ADDRESS), { region: REGION, node: NODE }, TAGS);
  const seen = () => describeOne(cloud, 'address', at(ADDRESS));
  const holders = () =>
    bench.compute
      .resources('instances')
      .map(({ networkInterfaces: [nic] }) => (nic.accessConfigs ?? []).map(({ natIP }: { natIP: string }) => natIP));
  /** A lost answer is an error of one call, and the next call goes on. */
  async function until<T>(call: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
    let last: unknown;
    for (let calls = 0; calls < MOST_CALLS; calls += 1)
      try {
        const answer = await call();
        if (isDone(answer)) return answer;
        last = answer;
      } catch (error) {
        if ((error as { code?: string }).code !== 'unavailable') throw error;
        last = error;
      }
    throw new TypeError(`not done: ${JSON.stringify(last)}`);
  }
  /** Google makes the change with this number, and its answer is lost. */
  function loseAnswer(number: number): void {
    let changes = 0;
    bench.compute.authorize = (_token, _project, method) => {
      if (IS_CHANGE.test(method) && ++changes === number) bench.compute.loseNextReply();
      return [];
    };
  }

  it('is the only public address of its instance', async () => {
    await until(() => ensureNode(1), isActive);

    const { attributes } = await until(ensureAddress, isActive);

    expect(attributes.ip).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(holders()).toEqual([[attributes.ip]]);
  });

  it('is assigned once when the assignment ends after a look at the instance', async () => {
    await until(() => ensureNode(1), isActive);
    await ensureAddress();
    await seen();
    const { compute } = bench;
    compute.holdOperations();
    for (const look of ['compute.instances.get', 'compute.zoneOperations.get'])
      compute.delays.set(look, async () => compute.forgetOperations());

    const { attributes } = await until(ensureAddress, isActive);

    expect(holders()).toEqual([[attributes.ip]]);
  });

  it('moves to the instance of the next incarnation', async () => {
    await until(() => ensureNode(1), isActive);
    const { attributes } = await until(ensureAddress, isActive);
    await until(() => ensureNode(2), isActive);

    const moved = await until(ensureAddress, isActive);

    expect(moved.attributes).toEqual(attributes);
    expect(holders()).toEqual([[attributes.ip]]);
  });

  it.each([1, 2, 3])('is at its instance after the answer to change %i was lost', async (number) => {
    await until(() => ensureNode(1), isActive);
    loseAnswer(number);

    const { attributes } = await until(ensureAddress, isActive);

    expect(holders()).toEqual([[attributes.ip]]);
    expect(bench.compute.resources('addresses')).toHaveLength(1);
  });

  it.each([1, 2])(
    'moves to the next instance also after the answer to change %i of the move was lost',
    async (number) => {
      await until(() => ensureNode(1), isActive);
      const { attributes } = await until(ensureAddress, isActive);
      await until(() => ensureNode(2), isActive);
      loseAnswer(number);

      await until(ensureAddress, isActive);

      expect(holders()).toEqual([[attributes.ip]]);
    },
  );

  it('leaves its instance without an address when the address is deleted', async () => {
    await until(() => ensureNode(1), isActive);
    await until(ensureAddress, isActive);

    await until(
      () => cloud.destroy('address', at(ADDRESS)).then(seen),
      (left) => left === null,
    );

    expect(bench.compute.resources('addresses')).toEqual([]);
    expect(holders()).toEqual([[]]);
    expect(await bench.rows("select name from aws_resources where kind = 'address'")).toEqual([]);
  });
});
