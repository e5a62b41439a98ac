import { randomUUID } from 'node:crypto';
import { eventually } from '../basics/eventually.js';
import { ComputeClient, GLOBAL, machine, REGION, ZONE } from './compute-client.js';
import { linkOf } from './compute-places.js';
import { FakeCompute } from './fake-compute.js';

describe('operations and faults of the fake of Compute Engine', () => {
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

  it('makes a network, a subnetwork, a disk and an instance, and takes them away', async () => {
    await google.node();
    await google.make(`${ZONE}/disks`, { name: 'data', sizeGb: '10', type: `${ZONE}/diskTypes/pd-balanced` });
    await google.done('POST', `${ZONE}/instances/node/attachDisk`, {
      source: `${ZONE}/disks/data`,
      deviceName: 'data',
    });

    const instance = await google.get(`${ZONE}/instances/node`);
    expect(instance).toMatchObject({ status: 'RUNNING', networkInterfaces: [{ networkIP: '10.0.0.2' }] });
    expect((await google.get(`${ZONE}/disks/data`)).users).toEqual([instance.selfLink]);
    await google.done('DELETE', `${ZONE}/instances/node`);
    await google.done('DELETE', `${ZONE}/disks/data`);
    await google.done('DELETE', `${REGION}/subnetworks/nodes`);
    await google.done('DELETE', `${GLOBAL}/networks/net`);

    expect(['networks', 'subnetworks', 'disks', 'instances'].flatMap((kind) => fake.resources(kind))).toEqual([]);
    expect([fake.creations('instances', 'node'), fake.creations('disks', 'node')]).toEqual([1, 1]);
  });

  describe('operations', () => {
    it('shows a new resource when its operation runs, and all its states', async () => {
      await fake.stop();
      fake = await FakeCompute.start({ operationMs: 300 });
      google = new ComputeClient(fake);
      await google.network();
      await google.subnetwork('nodes');
      const states = await google.states(`${ZONE}/instances/node`, google.make(`${ZONE}/instances`, machine('node')));
      const snapshot = google.make(`${GLOBAL}/snapshots`, { name: 'snap', sourceDisk: `${ZONE}/disks/node` });

      expect(states).toEqual(expect.arrayContaining([null, 'PROVISIONING', 'STAGING']));
      expect(await google.states(`${GLOBAL}/snapshots/snap`, snapshot)).toEqual(
        expect.arrayContaining(['CREATING', 'UPLOADING']),
      );
      expect(await google.get(`${GLOBAL}/snapshots/snap`)).toMatchObject({ status: 'READY', diskSizeGb: '10' });
      expect(await google.states(`${ZONE}/instances/node`, google.done('DELETE', `${ZONE}/instances/node`))).toContain(
        'STOPPING',
      );
    });

    it('answers a repeated request with the first operation', async () => {
      const path = `${REGION}/addresses?requestId=${randomUUID()}`;
      const [, first] = await google.ask('POST', path, { name: 'one' });
      const [, second] = await google.ask('POST', path, { name: 'one' });

      expect(second.name).toBe(first.name);
      const exists = `The resource '${REGION}/addresses/one' already exists`;
      expect(await google.refusal('POST', `${REGION}/addresses`, { name: 'one' })).toEqual([
        409,
        'alreadyExists',
        exists,
      ]);
    });

    it.each(['00000000-0000-0000-0000-000000000000', 'one'])('refuses the request id %s', async (requestId) => {
      expect(await google.refusal('POST', `${REGION}/addresses?requestId=${requestId}`, { name: 'one' })).toEqual([
        ...[400, 'invalid', expect.stringContaining('valid UUID')],
      ]);
    });

    it('forgets operations that have their effect', async () => {
      const [, { selfLink }] = await google.ask('POST', `${REGION}/addresses`, { name: 'one' });
      fake.forgetOperations();

      expect((await google.ask('GET', linkOf(selfLink)))[0]).toBe(404);
      expect(fake.resources('addresses')).toHaveLength(1);
    });

    it.each([404, 200])(
      'refuses what names a resource that is not ready, while reads of it answer %d',
      async (shown) => {
        await fake.stop();
        fake = await FakeCompute.start({ operationMs: 300 });
        google = new ComputeClient(fake);
        await google.ask('POST', `${GLOBAL}/networks`, { name: 'net', autoCreateSubnetworks: false });
        await eventually(
          `a read answers ${shown}`,
          async () => (await google.ask('GET', `${GLOBAL}/networks/net`))[0] === shown,
        );
        const body = { name: 'nodes', network: `${GLOBAL}/networks/net`, ipCidrRange: '10.0.0.0/24' };

        const notReady = [400, 'resourceNotReady', `The resource '${GLOBAL}/networks/net' is not ready`];
        expect(await google.refusal('POST', `${REGION}/subnetworks`, body)).toEqual(notReady);
        expect(await google.refusal('DELETE', `${GLOBAL}/networks/net`)).toEqual(notReady);
      },
    );

    it('tells a listener what had its effect', async () => {
      const events: unknown[] = [];
      fake.onDone(({ id, resource }) => events.push([id, resource.name]));
      await google.make(`${REGION}/addresses`, { name: 'one' });
      await google.done('DELETE', `${REGION}/addresses/one`);

      expect(events).toEqual(['insert', 'delete'].map((verb) => [`compute.addresses.${verb}`, 'one']));
    });
  });

  describe('faults on demand', () => {
    const one = { name: 'one' };
    const ofAddress = (): Promise<unknown[]> => google.refusal('POST', `${REGION}/addresses`, one);

    it('has the effect of a request whose answer it loses', async () => {
      fake.loseNextReply();

      await expect(google.ask('POST', `${REGION}/addresses`, one)).rejects.toThrow('fetch failed');
      await eventually('the address exists', () => fake.creations('addresses', 'one') === 1);
    });

    it('throttles the next requests', async () => {
      fake.throttle(1);

      expect(await ofAddress()).toEqual([403, 'rateLimitExceeded', 'Rate Limit Exceeded']);
      expect((await google.ask('POST', `${REGION}/addresses`, one))[0]).toBe(200);
    });

    it('fails halfway, without an effect', async () => {
      fake.failHalfway();
      await google.make(`${REGION}/addresses`, one);

      expect((await google.refusal('DELETE', `${REGION}/addresses/one`)).slice(0, 2)).toEqual([503, 'backendError']);
      await google.done('DELETE', `${REGION}/addresses/one`);
    });

    it('refuses the next request of a method', async () => {
      fake.refuseNext('compute.addresses.insert', 400, 'badRequest', 'No.');

      expect([await ofAddress(), (await ofAddress())[0]]).toEqual([[400, 'badRequest', 'No.'], 200]);
    });

    it.each<[string, () => void, number, string]>([
      ['QUOTA_EXCEEDED', () => fake.quota('addresses', 0), 403, 'STATIC_ADDRESSES'],
      ['IP_IN_USE', () => fake.failNextOperation('compute.addresses.insert', 'IP_IN_USE', 'No.'), 400, 'No.'],
    ])('ends an operation with %s', async (code, fail, status, message) => {
      fail();

      expect(await google.make(`${REGION}/addresses`, one)).toMatchObject({
        ...{ httpErrorStatusCode: status, error: { errors: [{ code, message: expect.stringContaining(message) }] } },
      });
      expect([fake.resources('addresses'), fake.creations('addresses', 'one')]).toEqual([[], 0]);
    });

    it('has no machines of a type in a zone', async () => {
      await google.node();
      await google.done('POST', `${ZONE}/instances/node/stop`);
      fake.stockOut('europe-west1-b', 'c4a-highcpu-2');
      const exhausted = { error: { errors: [{ code: 'ZONE_RESOURCE_POOL_EXHAUSTED' }] } };

      expect(await google.make(`${ZONE}/instances`, machine('second'))).toMatchObject(exhausted);
      expect(await google.done('POST', `${ZONE}/instances/node/start`)).toMatchObject(exhausted);
      expect(fake.resources('instances')).toMatchObject([{ name: 'node', status: 'TERMINATED' }]);
      fake.stockOut('europe-west1-b', null);
      await google.done('POST', `${ZONE}/instances/node/start`);
      expect(fake.resources('instances')).toMatchObject([{ status: 'RUNNING' }]);
    });

    it('names the link that enables the API', async () => {
      fake.disableApi('landlord-test');

      expect(await ofAddress()).toEqual([
        ...[
          403,
          'accessNotConfigured',
          expect.stringContaining('/apis/api/compute.googleapis.com/overview?project=landlord-test'),
        ],
      ]);
    });

    it('asks for a token and for permissions', async () => {
      fake.authorize = (token) => (token === 'good' ? [] : ['compute.addresses.list']);
      const path = `${REGION}/addresses`;

      expect((await google.refusal('GET', path)).slice(0, 2)).toEqual([401, 'required']);
      expect(await google.refusal('GET', path, undefined, 'bad')).toEqual([
        ...[403, 'forbidden', `Required 'compute.addresses.list' permission for '${path}'`],
      ]);
      expect((await google.ask('GET', path, undefined, 'good'))[0]).toBe(200);
    });

    it('notes a request that breaks the schema', async () => {
      expect((await google.refusal('POST', `${REGION}/addresses`, { label: 'one' })).slice(0, 2)).toEqual([
        400,
        'badRequest',
      ]);
      expect(fake.faults.splice(0).join()).toContain('"label"');
    });

    it('changes and removes what somebody else changes and removes', async () => {
      await google.make(`${REGION}/addresses`, one);
      fake.change('addresses', 'one', (address) => (address.description = 'theirs'));
      expect(fake.resources('addresses')).toMatchObject([{ description: 'theirs' }]);
      fake.remove('addresses', 'one');
      expect(fake.resources('addresses')).toEqual([]);
    });
  });
});
