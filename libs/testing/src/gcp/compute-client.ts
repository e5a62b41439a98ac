import { setTimeout as delay } from 'node:timers/promises';
import { linkOf, type Resource } from './compute-places.js';
import type { FakeCompute } from './fake-compute.js';

const PATIENCE_MS = 30_000;

export const GLOBAL = 'projects/landlord-test/global';
export const REGION = 'projects/landlord-test/regions/europe-west1';
export const ZONE = 'projects/landlord-test/zones/europe-west1-b';
export const TYPE = 'zones/europe-west1-b/machineTypes/c4a-highcpu-2';
export const IMAGE = 'projects/debian-cloud/global/images/family/debian-12-arm64';

/** Asks a fake of Compute Engine as a driver does. */
export class ComputeClient {
  constructor(readonly fake: FakeCompute) {}

  async ask(httpMethod: string, path: string, body?: Resource | null, token?: string): Promise<[number, Resource]> {
    const response = await fetch(`${this.fake.endpoint}/compute/v1/${path}`, {
      method: httpMethod,
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      ...(body && { body: JSON.stringify(body) }),
    });
    return [response.status, (await response.json()) as Resource];
  }

  async get(path: string): Promise<Resource> {
    return (await this.ask('GET', path))[1];
  }

  /** The operation when it is done. */
  async done(httpMethod: string, path: string, body?: Resource): Promise<Resource> {
    const [status, operation] = await this.ask(httpMethod, path, body);
    expect([status, operation]).toEqual([200, expect.objectContaining({ kind: 'compute#operation' })]);
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
      const now = await this.get(linkOf(operation.selfLink));
      if (now.status === 'DONE') return now;
      // Often: a test wants to see all states between.
      await delay(2);
    }
    throw new Error(`The operation is not done after ${PATIENCE_MS} ms: ${httpMethod} ${path}`);
  }

  make(collection: string, body: Resource): Promise<Resource> {
    return this.done('POST', collection, body);
  }

  /** The status, the reason and the message of a refusal. */
  async refusal(httpMethod: string, path: string, body?: Resource, token?: string): Promise<unknown[]> {
    const [status, { error }] = await this.ask(httpMethod, path, body, token);
    return [status, error?.errors[0].reason, error?.message];
  }

  /** The other states of a resource while its operation runs. */
  async states(path: string, operation: Promise<Resource>): Promise<unknown[]> {
    const seen = new Set<unknown>();
    let isDone = false;
    const end = operation.then(() => (isDone = true));
    while (!isDone) seen.add((await this.get(path)).status ?? null);
    await end;
    return [...seen];
  }

  network(name = 'net'): Promise<Resource> {
    return this.make(`${GLOBAL}/networks`, { name, autoCreateSubnetworks: false });
  }

  subnetwork(name: string, of = 'net', ipCidrRange = '10.0.0.0/24', more: Resource = {}): Promise<Resource> {
    const body = { name, network: `${GLOBAL}/networks/${of}`, ipCidrRange, ...more };
    return this.make(`${REGION}/subnetworks`, body);
  }

  /** A machine in a subnetwork of a network. */
  async node(more: Resource = {}): Promise<void> {
    await this.network();
    await this.subnetwork('nodes');
    await this.make(`${ZONE}/instances`, machine('node', more));
  }
}

export const machine = (name: string, more: Resource = {}): Resource => ({
  ...{ name, machineType: TYPE, networkInterfaces: [{ subnetwork: `${REGION}/subnetworks/nodes` }] },
  disks: [{ boot: true, autoDelete: true, initializeParams: { sourceImage: IMAGE } }],
  ...more,
});
