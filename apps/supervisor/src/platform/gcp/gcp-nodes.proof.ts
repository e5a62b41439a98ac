import { describeOne, placeAccount, type GcpProvider, type NodeResourceSpec, type Resource } from '@libs/cloud';
import { at, GcpBench, INSTALLATION, REGION, THEIR_ACCOUNT, THEIR_PROJECT } from '../../../test/gcp-bench.fixture.js';

const NODE = 'node-1';
const TAGS = { installation: INSTALLATION, deployment_id: 7, node_id: 1 };
const ZONE = 'us-central1-a';
const INSERT = 'compute.instances.insert';
const LARGE = { variant: 'large', cpus: 4 };
const disk = (size_gib: number) => ({ storage: { type: 'network_balanced', size_gib } });
const LOCAL = { storage: { type: 'local_ssd', size_gib: 375 } };

describe('a node at Google Cloud, on the fake of Compute Engine', () => {
  let bench: GcpBench;
  let cloud: GcpProvider;
  /** The calls that Google got, and the operations that had their effect, in order. */
  let events: string[];
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.empty({ operationMs: 0 });
    cloud = bench.driver();
    await surround(null);
    events = [];
    bench.compute.authorize = (_token, _project, method) => {
      events.push(method.replace('compute.', ''));
      return [];
    };
    bench.compute.onDone(({ id }) => events.push(`${id.replace('compute.', '')} has ended`));
  });
  afterEach(() => expect(bench.compute.faults).toEqual([]));

  /** The network and the firewall of the node. */
  async function surround(account: string | null): Promise<void> {
    const layout = account === null ? ('own' as const) : { vpc_id: 'theirs', range: 'given' as const };
    const network = { region: REGION, cidr: '10.1.0.0/24', zones: ['a', 'b'], layout };
    const firewall = { network: 'network', ingress: [] };
    for (let calls = 0; calls < 4; calls += 1) await cloud.ensure('network', at('network', account), network, TAGS);
    for (let calls = 0; calls < 2; calls += 1) await cloud.ensure('firewall', at('firewall', account), firewall, TAGS);
  }
  const spec = (changes: Partial<NodeResourceSpec> = {}): NodeResourceSpec => ({
    ...{ node_id: 1, incarnation: 1, broker: 'embedded', variant: 'small', cpus: 2, memory_mib: 4096 },
    ...{ is_dedicated: false, region: REGION, zone: 'a', image_id: '', network: 'network', firewall: 'firewall' },
    ...{ memory_floor_mib: 0, ports: [20_000], token: 'token', storage: { type: 'network_balanced', size_gib: 10 } },
    ...changes,
  });
  const ensure = (changes?: Partial<NodeResourceSpec>, account: string | null = null): Promise<Resource<'node'>> =>
    cloud.ensure('node', at(NODE, account), spec(changes), TAGS);
  const seen = () => describeOne(cloud, 'node', at(NODE));
  const instances = () => bench.compute.resources('instances');
  const disks = () => bench.compute.resources('disks').filter(({ name }) => name !== instances()[0]?.['name']);
  const typeOf = (link: unknown): string => String(link).split('/').at(-1) ?? '';
  const asked = (id: string) => bench.compute.requests.filter((one) => one.id === id);
  /** The methods that the driver called, without their questions. */
  const calls = () => events.filter((one) => /^(instances|disks)\.(?!get|list|aggregatedList)/.test(one));
  /** Calls until Google has nothing more to do. */
  async function active(changes?: Partial<NodeResourceSpec>, account: string | null = null): Promise<Resource<'node'>> {
    for (let count = 0; count < 8; count += 1) {
      const node = await ensure(changes, account);
      if (node.state === 'active') return node;
    }
    throw new TypeError(`the node is not active: ${JSON.stringify(await seen())}`);
  }
  /** Calls until Google refuses. */
  async function refused(changes?: Partial<NodeResourceSpec>): Promise<Error> {
    for (let count = 0; count < 4; count += 1) {
      const error = await ensure(changes).then(
        () => null,
        (one: Error) => one,
      );
      if (error) return error;
    }
    throw new TypeError('Google refuses nothing');
  }
  const nameOf = (): string => String(instances()[0]?.['name']);
  const stopByHand = (): void => bench.compute.change('instances', nameOf(), (one) => (one.status = 'TERMINATED'));
  const detachByHand = (): void =>
    bench.compute.change('instances', nameOf(), (one) => {
      one.disks = one.disks.filter(({ deviceName }: { deviceName: string }) => deviceName !== 'landlord-data');
    });

  it('is an instance without a service account, and names its owner in labels and description', async () => {
    const { attributes } = await active();
    const [instance] = instances();
    const [data] = disks();

    const labels = { 'landlord-installation': INSTALLATION, 'landlord-deployment': '7', 'landlord-node': '1' };
    const named = { landlord: INSTALLATION, kind: 'node', name: NODE, deployment: 7, node: 1 };
    expect(instance?.['serviceAccounts'] ?? []).toEqual([]);
    expect(asked(INSERT)[0]?.body).toMatchObject({ serviceAccounts: [] });
    expect(instance).toMatchObject({ labels });
    expect(JSON.parse(instance?.['description'])).toEqual({ ...named, part: 'node' });
    expect(data).toMatchObject({ labels, sizeGb: '10' });
    expect(JSON.parse(data?.['description'])).toEqual({ ...named, part: 'disk' });
    const image_id = expect.stringMatching(/^projects\/ubuntu-os-cloud\/global\/images\/family\/ubuntu-2404-lts-/);
    expect(attributes).toMatchObject({ zone: ZONE, image_id, private_ip: expect.stringMatching(/^10\.1\.0\./) });
    expect(attributes.public_ip).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  });

  it('has no public address in the project of a customer', async () => {
    const account = placeAccount(THEIR_PROJECT, 7);
    await bench.empty({ operationMs: 0 });
    await bench.addNetwork(THEIR_PROJECT, 'theirs');
    const description = 'landlord-external-id=x';
    bench.google.accounts.set(THEIR_ACCOUNT, { description, isTrusted: true, lacks: [] });
    bench.given.set(account, { service_account_email: THEIR_ACCOUNT, external_id: 'x' });
    cloud = bench.driver();
    await surround(account);

    const { attributes } = await active({}, account);

    expect(attributes).toMatchObject({ zone: ZONE, public_ip: null });
    expect(String(instances()[0]?.['selfLink'])).toContain(`/projects/${THEIR_PROJECT}/`);
  });

  describe('in a zone without capacity', () => {
    const capacity = (what: string, zone = ZONE) => ({ refusal: { code: 'capacity', what, zone } });

    it('gets the next type when the caller returns to the zone', async () => {
      bench.compute.stockOut(ZONE, 'n2-standard-2');
      expect(await refused()).toMatchObject(capacity('n2-standard-2'));

      await active();

      expect(asked(INSERT).map(({ body }) => typeOf((body as { machineType: string }).machineType))).toEqual([
        ...['n2-standard-2', 'e2-standard-2'],
      ]);
      expect(instances()).toHaveLength(1);
      expect(disks()).toHaveLength(1);
    });

    it('says so without a call when the zone has refused every type, and gets the first type in another zone', async () => {
      for (const type of ['n2-standard-2', 'e2-standard-2']) {
        bench.compute.failNextOperation(INSERT, 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS');
        expect(await refused()).toMatchObject(capacity(type));
      }
      const error = await refused();
      expect(error).toMatchObject(capacity('n2-standard-2'));
      expect(error.message).toBe(`Google Cloud has no capacity for n2-standard-2, e2-standard-2 in ${ZONE}`);
      expect(asked(INSERT)).toHaveLength(2);

      await active({ zone: 'b' });

      expect(instances().map(({ machineType, zone }) => [typeOf(machineType), typeOf(zone)])).toEqual([
        ['n2-standard-2', 'us-central1-b'],
      ]);
      expect(disks().map(({ zone }) => typeOf(zone))).toEqual(['us-central1-b']);
    });

    it('is asked for again three minutes later', async () => {
      bench.compute.stockOut(ZONE, 'n2-standard-2');
      await refused();
      bench.compute.stockOut(ZONE, null);
      await bench.aMinuteLater();

      await active();

      expect(instances().map(({ machineType }) => typeOf(machineType))).toEqual(['n2-standard-2']);
    });

    it('is refused in the answer as in an operation', async () => {
      bench.compute.refuseNext(INSERT, 503, 'resourcePoolExhausted');

      expect(await refused()).toMatchObject(capacity('n2-standard-2'));
    });

    it('starts later, when a stopped instance has no machine', async () => {
      await active();
      bench.compute.stockOut(ZONE, 'n2-standard-2');
      stopByHand();

      expect(await refused()).toMatchObject({ refusal: { code: 'capacity' } });
      bench.compute.stockOut(ZONE, null);
      await active();

      expect(instances()).toMatchObject([{ status: 'RUNNING' }]);
    });
  });

  it.each([
    ['an operation', () => bench.compute.failNextOperation(INSERT, 'QUOTA_EXCEEDED', "Quota 'CPUS' exceeded."), 'CPUS'],
    ['an answer', () => bench.compute.refuseNext(INSERT, 403, 'quotaExceeded', "Quota 'CPUS' exceeded."), 'CPUS'],
    ['the full region', () => bench.compute.quota('instances', 0), 'INSTANCES'],
  ])('names the quota that is used up, from %s, and exists afterwards', async (_what, fill, name) => {
    fill();

    expect(await refused()).toMatchObject({ refusal: { code: 'quota', name } });
    bench.compute.quota('instances', 5);
    await active();
    expect(instances()).toHaveLength(1);
  });

  it('changes its type by a stop, the change and a start, and stays the same instance with the same disk', async () => {
    await active();
    const [before] = instances();
    const [data] = disks();
    events = [];

    await active(LARGE);

    expect(calls()).toEqual(
      ['stop', 'setMachineType', 'start'].flatMap((verb) => [`instances.${verb}`, `instances.${verb} has ended`]),
    );
    expect(instances()).toMatchObject([{ id: before?.['id'], status: 'RUNNING' }]);
    expect(typeOf(instances()[0]?.['machineType'])).toBe('n2-standard-4');
    expect(disks().map(({ id }) => id)).toEqual([data?.['id']]);
  });

  it('continues a change of the type after each lost answer', async () => {
    await active();
    const id = instances()[0]?.['id'];
    for (let lost = 0; lost < 3; lost += 1) {
      bench.compute.loseNextReply();
      await ensure(LARGE).catch((error: Error) => expect(error).toMatchObject({ refusal: { code: 'unavailable' } }));
    }

    await active(LARGE);

    expect(instances()).toMatchObject([{ id, status: 'RUNNING' }]);
    expect(typeOf(instances()[0]?.['machineType'])).toBe('n2-standard-4');
  });

  it('grows its disk in place, and never makes the disk smaller', async () => {
    await active();
    const [data] = disks();
    await active(disk(20));
    await ensure(disk(20));
    expect(disks()).toMatchObject([{ id: data?.['id'], sizeGb: '20' }]);

    await active(disk(10));

    expect(disks()).toMatchObject([{ id: data?.['id'], sizeGb: '20' }]);
    expect(asked('compute.disks.resize')).toHaveLength(1);
    expect(asked('compute.instances.stop')).toEqual([]);
  });

  it('gets its disk back when somebody detaches the disk', async () => {
    await active();
    const [instance] = instances();
    const [data] = disks();
    detachByHand();
    expect(await seen()).toMatchObject({
      state: 'pending',
      reason: `the data disk is not attached to the instance ${nameOf()}`,
    });

    await active();

    expect(instances().map(({ id }) => id)).toEqual([instance?.['id']]);
    expect(instances()[0]?.['disks']).toContainEqual(
      expect.objectContaining({ source: data?.['selfLink'], deviceName: 'landlord-data' }),
    );
    expect(bench.compute.resources('disks')).toHaveLength(2);
  });

  it('has failed when somebody deletes its disk, and the next incarnation has another disk', async () => {
    await active();
    const [data] = disks();
    detachByHand();
    bench.compute.remove('disks', String(data?.['name']));
    expect(await seen()).toMatchObject({
      state: 'failed',
      reason: `somebody has deleted the data disk of the instance ${nameOf()}`,
    });

    await active({ incarnation: 2 });

    expect(instances()).toHaveLength(1);
    expect(disks()).toHaveLength(1);
    expect(disks()[0]?.['id']).not.toBe(data?.['id']);
  });

  it('has failed when somebody deletes its instance, and is not created again by the same incarnation', async () => {
    await active();
    const [before] = instances();
    const reason = `somebody has deleted the instance ${nameOf()}`;
    bench.compute.remove('instances', nameOf());
    expect(await seen()).toMatchObject({ state: 'failed', reason });
    expect(await ensure()).toMatchObject({ state: 'failed', reason });
    expect(asked(INSERT)).toHaveLength(1);

    await active({ incarnation: 2 });

    expect(instances()).toHaveLength(1);
    expect(instances()[0]?.['id']).not.toBe(before?.['id']);
  });

  it('ends the earlier instance and its disk before the next incarnation exists', async () => {
    await active();
    events = [];

    await active({ incarnation: 2 });

    expect(calls()).toEqual(
      ['instances.delete', 'disks.delete', 'instances.insert'].flatMap((one) => [one, `${one} has ended`]),
    );
    expect(instances()).toHaveLength(1);
    expect(disks()).toHaveLength(1);
  });

  it('does not return to an earlier incarnation', async () => {
    await active({ incarnation: 2 });
    events = [];

    await ensure({ incarnation: 1 });

    expect(calls()).toEqual([]);
  });

  it('ends an earlier instance whose creation had no answer, in another zone too', async () => {
    bench.compute.loseNextReply();
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
    events = [];

    await active({ incarnation: 2, zone: 'b' });

    const asked = calls().filter((one) => !one.endsWith('has ended'));
    expect(asked.slice(0, 3)).toEqual(['instances.delete', 'disks.delete', 'instances.insert']);
    expect(instances().map(({ zone }) => typeOf(zone))).toEqual(['us-central1-b']);
    expect(disks().map(({ zone }) => typeOf(zone))).toEqual(['us-central1-b']);
  });

  describe('whose operation has vanished', () => {
    it('exists once when its creation had its effect', async () => {
      await ensure();
      bench.compute.forgetOperations();

      await active();

      expect(asked(INSERT)).toHaveLength(1);
      expect(instances()).toHaveLength(1);
    });

    it('is created again when its creation had no effect', async () => {
      bench.compute.failNextOperation(INSERT, 'INTERNAL_ERROR');
      await ensure();
      bench.compute.forgetOperations();

      await active();

      expect(asked(INSERT)).toHaveLength(2);
      expect(instances()).toHaveLength(1);
    });

    it('continues a change of its type', async () => {
      await active();
      for (let count = 0; count < 3; count += 1) {
        await ensure(LARGE);
        bench.compute.forgetOperations();
      }

      await active(LARGE);

      expect(typeOf(instances()[0]?.['machineType'])).toBe('n2-standard-4');
      for (const verb of ['stop', 'setMachineType', 'start'])
        expect(asked(`compute.instances.${verb}`)).toHaveLength(1);
    });

    it('is deleted', async () => {
      await active();
      await cloud.destroy('node', at(NODE));
      bench.compute.forgetOperations();

      for (let count = 0; count < 4; count += 1) await cloud.destroy('node', at(NODE));

      expect(instances()).toEqual([]);
      expect(disks()).toEqual([]);
      expect(await seen()).toBeNull();
    });
  });

  it('is started again after somebody stopped it, and has the same data', async () => {
    await active();
    const [before] = instances();
    const [data] = disks();
    stopByHand();
    expect(await seen()).toMatchObject({ state: 'pending', reason: `the instance ${nameOf()} is stopped` });

    await active();

    expect(instances()).toMatchObject([{ id: before?.['id'], status: 'RUNNING' }]);
    expect(disks().map(({ id }) => id)).toEqual([data?.['id']]);
  });

  it('on local disks has no data disk, does not change its type, and has failed after a stop', async () => {
    await active(LOCAL);
    expect(disks()).toEqual([]);
    await expect(ensure({ ...LOCAL, ...LARGE })).rejects.toMatchObject({
      refusal: { code: 'invalid' },
      message: expect.stringContaining('without losing its data'),
    });

    stopByHand();

    expect(await seen()).toMatchObject({ state: 'failed', reason: expect.stringContaining('lost their data') });
    expect(asked('compute.instances.stop')).toEqual([]);
  });

  it('shows no token of the node in a refusal, also when Google repeats the metadata', async () => {
    let script = '';
    const { authorize } = bench.compute;
    bench.compute.authorize = (...of) => {
      const { body } = bench.compute.requests.at(-1) as { body: { metadata?: { items: { value: string }[] } } };
      script = body?.metadata?.items[0]?.value ?? script;
      const said = `Invalid value for field 'resource.metadata.items[0].value': '${script}'. It is not accepted.`;
      if (of[2] === INSERT) bench.compute.refuseNext(INSERT, 400, 'invalid', said);
      return authorize!(...of);
    };

    const error = await refused();

    const secrets = [...script.matchAll(/[\w-]+\.[\w-]{20,}/g)].map(([one]) => one);
    expect(secrets.length).toBeGreaterThan(0);
    expect(error).toMatchObject({ refusal: { code: 'invalid' } });
    for (const text of [error.message, String(error.cause)])
      for (const secret of secrets) expect(text).not.toContain(secret);
    expect(error.message).toContain("'resource.metadata.items[0].value'");
  });

  it('is refused when its name belongs to an instance of somebody else, which stays', async () => {
    await active();
    bench.compute.change('instances', nameOf(), (one) => (one['description'] = 'mine'));
    await bench.rows("delete from aws_resources where kind = 'node'");

    expect(await refused()).toMatchObject({
      refusal: { code: 'invalid' },
      message: expect.stringContaining('not of Landlord'),
    });
    for (let count = 0; count < 3; count += 1) await cloud.destroy('node', at(NODE));

    expect(instances()).toMatchObject([{ description: 'mine' }]);
  });

  it('is deleted with its disk, also in a zone that the memory does not know', async () => {
    bench.compute.loseNextReply();
    await ensure().catch(() => null);
    await bench.aMinuteLater();

    for (let count = 0; count < 5; count += 1) await cloud.destroy('node', at(NODE));

    expect(instances()).toEqual([]);
    expect(bench.compute.resources('disks')).toEqual([]);
    expect(await seen()).toBeNull();
  });
});
