import { ComputeClient, GLOBAL, IMAGE, machine, REGION, TYPE, ZONE } from './compute-client.js';
import type { Resource } from './compute-places.js';
import { FakeCompute } from './fake-compute.js';

describe('resources of the fake of Compute Engine', () => {
  let fake: FakeCompute;
  let google: ComputeClient;
  beforeEach(async () => {
    fake = await FakeCompute.start({ operationMs: 6 });
    google = new ComputeClient(fake);
  });
  afterEach(async () => {
    const { faults } = fake;
    await fake.stop();
    expect(faults).toEqual([]);
  });

  describe('what uses others', () => {
    const service = {
      name: 'service',
      loadBalancingScheme: 'INTERNAL',
      healthChecks: [`${REGION}/healthChecks/check`],
    };
    beforeEach(async () => {
      await google.node({
        networkInterfaces: [{ subnetwork: `${REGION}/subnetworks/nodes`, accessConfigs: [{ name: 'public' }] }],
      });
      await google.subnetwork('psc', 'net', '10.1.0.0/24', { purpose: 'PRIVATE_SERVICE_CONNECT' });
      await google.make(`${GLOBAL}/firewalls`, {
        name: 'wall',
        network: `${GLOBAL}/networks/net`,
        allowed: [{ IPProtocol: 'tcp' }],
      });
      await google.make(`${ZONE}/instanceGroups`, { name: 'group' });
      await google.done('POST', `${ZONE}/instanceGroups/group/addInstances`, {
        instances: [{ instance: `${ZONE}/instances/node` }],
      });
      await google.make(`${REGION}/healthChecks`, { name: 'check', type: 'TCP', tcpHealthCheck: { port: 80 } });
      await google.make(`${REGION}/backendServices`, {
        ...service,
        backends: [{ group: `${ZONE}/instanceGroups/group` }],
      });
      const ofRule = { subnetwork: `${REGION}/subnetworks/nodes`, backendService: `${REGION}/backendServices/service` };
      await google.make(`${REGION}/forwardingRules`, {
        name: 'rule',
        ...ofRule,
        loadBalancingScheme: 'INTERNAL',
        ports: ['80'],
      });
      await google.make(`${REGION}/serviceAttachments`, {
        ...{ name: 'psc', targetService: `${REGION}/forwardingRules/rule`, natSubnets: [`${REGION}/subnetworks/psc`] },
        ...{ connectionPreference: 'ACCEPT_MANUAL', consumerAcceptLists: [{ projectIdOrNum: 'their-project' }] },
      });
    });

    it.each([
      ['network', `${GLOBAL}/networks/net`, `${REGION}/subnetworks/nodes`],
      ['subnetwork', `${REGION}/subnetworks/nodes`, `${ZONE}/instances/node`],
      ['subnetwork', `${REGION}/subnetworks/psc`, `${REGION}/serviceAttachments/psc`],
      ['disk', `${ZONE}/disks/node`, `${ZONE}/instances/node`],
      ['instanceGroup', `${ZONE}/instanceGroups/group`, `${REGION}/backendServices/service`],
      ['healthCheck', `${REGION}/healthChecks/check`, `${REGION}/backendServices/service`],
      ['backendService', `${REGION}/backendServices/service`, `${REGION}/forwardingRules/rule`],
      ['forwardingRule', `${REGION}/forwardingRules/rule`, `${REGION}/serviceAttachments/psc`],
    ])('keeps a %s in use', async (kind, link, user) => {
      expect(await google.refusal('DELETE', link)).toEqual([
        ...[400, 'resourceInUseByAnotherResource'],
        `The ${kind} resource '${link}' is already being used by '${user}'`,
      ]);
    });

    it('keeps an address in use, and gives it back', async () => {
      await google.make(`${REGION}/addresses`, { name: 'public' });
      const { address: natIP } = await google.get(`${REGION}/addresses/public`);
      const path = `${ZONE}/instances/node`;
      await google.done('POST', `${path}/deleteAccessConfig?accessConfig=public&networkInterface=nic0`);
      await google.done('POST', `${path}/addAccessConfig?networkInterface=nic0`, { natIP });

      expect((await google.get(path)).networkInterfaces[0].accessConfigs).toMatchObject([
        { name: 'External NAT', natIP },
      ]);
      expect((await google.get(`${REGION}/addresses/public`)).status).toBe('IN_USE');
      expect((await google.refusal('DELETE', `${REGION}/addresses/public`))[1]).toBe('resourceInUseByAnotherResource');
      await google.done('POST', `${path}/deleteAccessConfig?accessConfig=External%20NAT&networkInterface=nic0`);
      expect((await google.get(`${REGION}/addresses/public`)).status).toBe('RESERVED');
    });

    it('takes an address of the pool from a machine that stops', async () => {
      const config = async (): Promise<Resource> =>
        (await google.get(`${ZONE}/instances/node`)).networkInterfaces[0].accessConfigs[0];
      expect((await config()).natIP).toMatch(/^198\.51\.100\./);
      await google.done('POST', `${ZONE}/instances/node/stop`);
      expect(await config()).not.toHaveProperty('natIP');
      await google.done('POST', `${ZONE}/instances/node/start`);
      expect((await config()).natIP).toMatch(/^198\.51\.100\./);
    });

    it('lists the members of a group until they go', async () => {
      const path = `${ZONE}/instanceGroups/group/listInstances`;
      expect((await google.ask('POST', path, {}))[1].items).toMatchObject([{ status: 'RUNNING' }]);
      await google.done('DELETE', `${ZONE}/instances/node`);
      expect((await google.ask('POST', path, {}))[1]).not.toHaveProperty('items');
    });

    it('judges consumers by the lists', async () => {
      const path = `${REGION}/serviceAttachments/psc`;
      const endpoint = (project: string): Resource => ({
        endpoint: `projects/${project}/regions/europe-west1/forwardingRules/x`,
      });
      fake.change(
        'serviceAttachments',
        'psc',
        (one) => (one.connectedEndpoints = [endpoint('their-project'), endpoint('more')]),
      );
      const resource = await google.get(path);
      const patch = {
        fingerprint: resource.fingerprint,
        consumerAcceptLists: [{ projectIdOrNum: 'more' }],
        consumerRejectLists: ['their-project'],
      };

      expect(resource.connectedEndpoints).toMatchObject([{ status: 'ACCEPTED' }, { status: 'PENDING' }]);
      await google.done('PATCH', path, patch);
      expect((await google.get(path)).connectedEndpoints).toMatchObject([
        { status: 'REJECTED' },
        { status: 'ACCEPTED' },
      ]);
      expect((await google.refusal('PATCH', path, patch)).slice(0, 2)).toEqual([412, 'conditionNotMet']);
    });
  });

  describe('what the state forbids', () => {
    beforeEach(() => google.node());

    it.each<[string, string, Resource, unknown[]]>([
      [
        'another type of a running machine',
        'instances/node/setMachineType',
        { machineType: TYPE },
        [400, 'invalidResourceUsage'],
      ],
      ['a smaller disk', 'disks/node/resize', { sizeGb: '5' }, [400, 'invalid']],
      [
        'a disk that is attached',
        'instances/node/attachDisk',
        { source: `${ZONE}/disks/node` },
        [400, 'resourceInUseByAnotherResource'],
      ],
      ['a disk that is not there', 'instances/node/attachDisk', { source: `${ZONE}/disks/none` }, [404, 'notFound']],
      [
        'labels without the fingerprint',
        'disks/node/setLabels',
        { labels: {}, labelFingerprint: 'b2xk' },
        [412, 'conditionNotMet'],
      ],
      [
        'a machine of an unknown type',
        'instances',
        machine('x', { machineType: `${ZONE}/machineTypes/z9-huge` }),
        [400, 'invalid'],
      ],
      ['a bare name of a type', 'instances', machine('x', { machineType: 'e2-micro' }), [400, 'invalid']],
      [
        'a subnetwork that is not there',
        'instances',
        machine('x', { networkInterfaces: [{ subnetwork: `${REGION}/subnetworks/x` }] }),
        [400, 'invalid'],
      ],
    ])('refuses %s', async (_what, path, body, expected) => {
      expect((await google.refusal('POST', `${ZONE}/${path}`, body)).slice(0, 2)).toEqual(expected);
    });

    it('refuses a disk of another zone', async () => {
      const other = 'projects/landlord-test/zones/europe-west1-c/disks';
      await google.make(other, { name: 'far' });

      expect((await google.refusal('POST', `${ZONE}/instances/node/attachDisk`, { source: `${other}/far` }))[1]).toBe(
        'invalid',
      );
    });

    it('changes the type of a stopped machine, the size of a disk and labels', async () => {
      await google.done('POST', `${ZONE}/instances/node/stop`);
      await google.done('POST', `${ZONE}/instances/node/setMachineType`, {
        machineType: `${ZONE}/machineTypes/c4a-standard-4`,
      });
      await google.done('POST', `${ZONE}/disks/node/resize`, { sizeGb: '20' });
      const { labelFingerprint } = await google.get(`${ZONE}/disks/node`);
      await google.done('POST', `${ZONE}/disks/node/setLabels`, { labels: { a: 'b' }, labelFingerprint });

      expect((await google.get(`${ZONE}/instances/node`)).machineType).toMatch(/\/c4a-standard-4$/);
      expect(await google.get(`${ZONE}/disks/node`)).toMatchObject({ sizeGb: '20', labels: { a: 'b' } });
    });

    it.each<[string, string, unknown[]]>([
      [
        'a project',
        'projects/nobody/global/networks',
        [404, 'notFound', "The resource 'projects/nobody' was not found"],
      ],
      [
        'a zone',
        `${ZONE.slice(0, -1)}x/disks`,
        [400, 'invalid', "Invalid value for field 'zone': 'europe-west1-x'. Unknown zone."],
      ],
      ['a disk', `${ZONE}/disks/none`, [404, 'notFound', `The resource '${ZONE}/disks/none' was not found`]],
    ])('does not know %s', async (_what, path, expected) => {
      expect(await google.refusal('GET', path)).toEqual(expected);
    });
  });

  describe('networks', () => {
    const peering = (peer: string): Resource => ({
      networkPeering: { name: peer, network: `${GLOBAL}/networks/${peer}`, exchangeSubnetRoutes: true },
    });
    const addPeering = (of: string, peer: string): Promise<Resource> =>
      google.make(`${GLOBAL}/networks/${of}/addPeering`, peering(peer));
    const stateOf = async (of: string): Promise<unknown> =>
      (await google.get(`${GLOBAL}/networks/${of}`)).peerings?.[0].state;

    it('peers two networks that name each other', async () => {
      await Promise.all(['one', 'two'].map((name) => google.network(name)));
      await addPeering('one', 'two');
      expect(await stateOf('one')).toBe('INACTIVE');
      await addPeering('two', 'one');
      expect([await stateOf('one'), await stateOf('two')]).toEqual(['ACTIVE', 'ACTIVE']);
      expect((await google.refusal('DELETE', `${GLOBAL}/networks/one`))[1]).toBe('resourceInUseByAnotherResource');
      await google.make(`${GLOBAL}/networks/two/removePeering`, { name: 'one' });
      expect([await stateOf('one'), await stateOf('two')]).toEqual(['INACTIVE', undefined]);
      await google.done('DELETE', `${GLOBAL}/networks/two`);
    });

    it('changes the peerings of a network one after the other', async () => {
      await Promise.all(['one', 'two', 'more'].map((name) => google.network(name)));
      await google.ask('POST', `${GLOBAL}/networks/one/addPeering`, peering('two'));

      expect(await google.refusal('POST', `${GLOBAL}/networks/two/addPeering`, peering('more'))).toEqual([
        ...[
          400,
          'badRequest',
          'There is a peering operation in progress on the local or peer network. Try again later.',
        ],
      ]);
    });

    it('refuses ranges that overlap in a network, in its peers, and in a new peer', async () => {
      await Promise.all(['one', 'two', 'more'].map((name) => google.network(name)));
      await google.subnetwork('a', 'one', '10.0.0.0/16');
      await google.subnetwork('b', 'more', '10.0.8.0/24');
      await addPeering('one', 'two');
      await addPeering('two', 'one');
      const inside = (of: string): Resource => ({
        name: 'c',
        network: `${GLOBAL}/networks/${of}`,
        ipCidrRange: '10.0.1.0/24',
      });
      const clash = "conflicts with existing subnetwork 'a' in region 'europe-west1'.";

      for (const parent of ['one', 'two'])
        expect(await google.refusal('POST', `${REGION}/subnetworks`, inside(parent))).toEqual([
          400,
          'invalid',
          expect.stringContaining(clash),
        ]);
      expect(await google.refusal('POST', `${GLOBAL}/networks/one/addPeering`, peering('more'))).toEqual([
        ...[400, 'badRequest', expect.stringContaining('overlaps')],
      ]);
    });

    it('gives a network in auto mode a subnetwork in each region', async () => {
      await google.make(`${GLOBAL}/networks`, { name: 'auto', autoCreateSubnetworks: true });
      expect(await google.get(`${REGION}/subnetworks/auto`)).toMatchObject({
        ipCidrRange: '10.132.0.0/20',
        gatewayAddress: '10.132.0.1',
      });
      const body = { name: 'more', network: `${GLOBAL}/networks/auto`, ipCidrRange: '10.200.0.0/24' };
      expect((await google.refusal('POST', `${REGION}/subnetworks`, body))[2]).toContain(
        'cannot overlap with 10.128.0.0/9',
      );
      await google.make(
        `${ZONE}/instances`,
        machine('node', { networkInterfaces: [{ network: 'global/networks/auto' }] }),
      );
      await google.done('DELETE', `${ZONE}/instances/node`);
      await google.done('DELETE', `${GLOBAL}/networks/auto`);
      expect(fake.resources('subnetworks')).toEqual([]);
    });
  });

  describe('lists', () => {
    beforeEach(async () => {
      await google.network();
      for (const [name, tag] of ['ld-a x', 'ld-b x', 'other y'].map((one) => one.split(' ')))
        await google.make(`${ZONE}/disks`, { name, labels: { tag } });
      await google.make(`${GLOBAL}/firewalls`, { name: 'wall', network: `${GLOBAL}/networks/net` });
    });
    const names = async (path: string): Promise<string> =>
      ((await google.get(path)).items ?? []).map(({ name }: Resource) => name).join(' ');
    const NET = `https://www.googleapis.com/compute/v1/${GLOBAL}/networks/net`;

    it.each([
      ['disks', 'name eq ld-.*', 'ld-a ld-b'],
      ['disks', 'name eq "ld-(a|c)"', 'ld-a'],
      ['disks', '(name = "ld-a") OR (name = "other")', 'ld-a other'],
      ['disks', 'labels.tag = "y"', 'other'],
      ['disks', '(labels.tag = "x") AND (name != "ld-a")', 'ld-b'],
      ['firewalls', `network = "${NET}"`, 'wall'],
      ['firewalls', 'network = "none"', ''],
    ])('finds %s with %s', async (collection, filter, found) => {
      const path = collection === 'disks' ? ZONE : GLOBAL;
      expect(await names(`${path}/${collection}?filter=${encodeURIComponent(filter)}`)).toBe(found);
    });

    it('refuses a filter that it does not understand', async () => {
      expect((await google.refusal('GET', `${ZONE}/disks?filter=size%20%3E%2010`)).slice(0, 2)).toEqual([
        400,
        'invalid',
      ]);
    });

    it('shows one page after the other', async () => {
      const { nextPageToken, items } = await google.get(`${ZONE}/disks?maxResults=2&fields=items(name)`);
      expect(items).toHaveLength(2);
      expect(await google.get(`${ZONE}/disks?maxResults=2&pageToken=${nextPageToken}`)).not.toHaveProperty(
        'nextPageToken',
      );
      expect(await names(`${ZONE}/disks?maxResults=2&pageToken=${nextPageToken}`)).toBe('other');
    });

    it('shows the disks of all zones', async () => {
      const { items } = await google.get('projects/landlord-test/aggregated/disks');
      expect(items['zones/europe-west1-b'].disks).toHaveLength(3);
      expect(items['zones/us-east1-b']).toMatchObject({ warning: { code: 'NO_RESULTS_ON_PAGE' } });
    });

    it('knows images, types of machines, zones, and quotas', async () => {
      expect(await google.get(IMAGE)).toMatchObject({
        architecture: 'ARM64',
        status: 'READY',
        family: 'debian-12-arm64',
      });
      expect(await google.get(`${ZONE}/machineTypes/c4a-highcpu-2`)).toMatchObject({
        guestCpus: 2,
        memoryMb: 4096,
        architecture: 'ARM64',
      });
      expect(await google.get(`${ZONE}/machineTypes/e2-micro`)).toMatchObject({
        guestCpus: 2,
        memoryMb: 1024,
        isSharedCpu: true,
      });
      expect((await google.ask('GET', `${ZONE}/machineTypes/z9-huge-1`))[0]).toBe(404);
      expect(await names('projects/landlord-test/zones')).toContain('us-east1-b us-east1-c us-east1-d us-east4-a');
      fake.quota('networks', 5);
      expect((await google.get('projects/landlord-test')).quotas).toContainEqual({
        metric: 'NETWORKS',
        limit: 5,
        usage: 1,
      });
      expect((await google.get(REGION)).quotas).toContainEqual({ metric: 'CPUS', limit: 500, usage: 0 });
    });
  });
});
