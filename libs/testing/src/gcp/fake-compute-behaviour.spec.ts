import { randomUUID } from 'node:crypto';
import { FakeCompute } from './fake-compute.js';
import type { Resource } from './compute-places.js';

const GLOBAL = 'projects/landlord-test/global';
const REGION = 'projects/landlord-test/regions/europe-west1';
const ZONE = 'projects/landlord-test/zones/europe-west1-b';

describe('the fake of Compute Engine', () => {
  let fake: FakeCompute;
  beforeEach(async () => void (fake = await FakeCompute.start()));
  afterEach(async () => {
    const { faults } = fake;
    await fake.stop();
    expect(faults).toEqual([]);
  });

  async function ask(httpMethod: string, path: string, body?: Resource, token?: string): Promise<[number, Resource]> {
    const response = await fetch(`${fake.endpoint}/compute/v1/${path}`, {
      method: httpMethod,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return [response.status, (await response.json()) as Resource];
  }

  const get = async (path: string): Promise<Resource> => (await ask('GET', path))[1];

  /** The operation when it is done. */
  async function done(httpMethod: string, path: string, body?: Resource): Promise<Resource> {
    const [status, operation] = await ask(httpMethod, path, body);
    expect([status, operation]).toEqual([200, expect.objectContaining({ kind: 'compute#operation' })]);
    return vi.waitUntil(async () => {
      const now = await get((operation.selfLink as string).replace(/.*\/v1\//, ''));
      return now.status === 'DONE' && now;
    });
  }

  const insert = (collection: string, body: Resource): Promise<Resource> => done('POST', collection, body);

  async function refusal(httpMethod: string, path: string, body?: Resource): Promise<[number, string, string]> {
    const [status, { error }] = await ask(httpMethod, path, body);
    return [status, error?.errors[0].reason, error?.message];
  }

  const network = (name: string): Promise<Resource> =>
    insert(`${GLOBAL}/networks`, { name, autoCreateSubnetworks: false });
  const subnetwork = (name: string, of: string, ipCidrRange = '10.0.0.0/24'): Promise<Resource> =>
    insert(`${REGION}/subnetworks`, { name, network: `${GLOBAL}/networks/${of}`, ipCidrRange });
  const machine = (name: string): Resource => ({
    name,
    machineType: 'zones/europe-west1-b/machineTypes/c4a-highcpu-2',
    disks: [
      {
        ...{ boot: true, autoDelete: true },
        initializeParams: { sourceImage: 'projects/debian-cloud/global/images/family/debian-12-arm64' },
      },
    ],
    networkInterfaces: [{ subnetwork: `${REGION}/subnetworks/nodes`, accessConfigs: [{}] }],
  });

  it('makes a network, a subnetwork, a disk and an instance, and takes them away', async () => {
    await network('net');
    await subnetwork('nodes', 'net');
    await insert(`${ZONE}/disks`, { name: 'data', sizeGb: '10', type: `${ZONE}/diskTypes/pd-balanced` });
    await insert(`${ZONE}/instances`, machine('node'));
    await done('POST', `${ZONE}/instances/node/attachDisk`, { source: `${ZONE}/disks/data`, deviceName: 'data' });

    const instance = await get(`${ZONE}/instances/node`);
    expect(instance).toMatchObject({ status: 'RUNNING', networkInterfaces: [{ networkIP: '10.0.0.2' }] });
    expect(instance.networkInterfaces[0].accessConfigs[0].natIP).toMatch(/^198\.51\.100\./);
    expect((await get(`${ZONE}/disks/data`)).users).toEqual([instance.selfLink]);
    expect(await refusal('DELETE', `${ZONE}/disks/data`)).toEqual([
      ...[400, 'resourceInUseByAnotherResource'],
      `The disk resource '${ZONE}/disks/data' is already being used by '${ZONE}/instances/node'`,
    ]);
    await done('DELETE', `${ZONE}/instances/node`);
    await done('DELETE', `${ZONE}/disks/data`);
    await done('DELETE', `${REGION}/subnetworks/nodes`);
    await done('DELETE', `${GLOBAL}/networks/net`);

    expect(['networks', 'subnetworks', 'disks', 'instances'].flatMap((kind) => fake.resources(kind))).toEqual([]);
    expect(fake.creations('instances', 'node')).toBe(1);
  });

  it('answers a repeated request with the first operation', async () => {
    const path = `${REGION}/addresses?requestId=${randomUUID()}`;
    const [, first] = await ask('POST', path, { name: 'one' });
    const [, second] = await ask('POST', path, { name: 'one' });

    expect(second.name).toBe(first.name);
    expect(await refusal('POST', `${REGION}/addresses`, { name: 'one' })).toEqual([
      ...[409, 'alreadyExists', `The resource '${REGION}/addresses/one' already exists`],
    ]);
  });
});
