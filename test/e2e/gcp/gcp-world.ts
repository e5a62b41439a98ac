import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, FakeCompute, FakeGoogle, SeededRandom, testAuthority } from '@libs/testing';
import { packNode } from '../../../libs/host/test/machine/machine.fixture.js';
import { amidFaults } from '../clouds/amid-faults.js';
import { CloudHosts } from '../clouds/cloud-hosts.js';
import { onlyWorld } from '../clouds/one-world.js';
import { Bridge } from '../machines/hosts/bridge.js';
import { EMBEDDED, MachineWorld, MULTI_AZ, type WorldBroker } from '../machines/machine-world.js';
import { GoogleInstances } from './google-instances.js';

export const PROJECT = 'landlord-test';
export const THEIR_PROJECT = 'their-project';
/** The token of somebody who may change everything. */
const ALL_RIGHTS = 'all-rights';
/** A fake operation takes as long as the shortest one of Google. */
const OPERATION_MS = 300;
/** Everything that Landlord can create in a project. */
export const COLLECTIONS = [
  ...['networks', 'subnetworks', 'firewalls', 'instances', 'disks', 'snapshots', 'addresses', 'forwardingRules'],
  ...['backendServices', 'healthChecks', 'instanceGroups', 'serviceAttachments'],
];
/** For the hook that starts a world: the worlds of other files take their turns first. */
export const GCP_WORLD_WAIT_MS = 30 * 60_000;
export const IN_IOWA = { cloud: 'gcp', region: 'us-central1' } as const;
/** Three nodes in three zones at Google Cloud. */
export const AT_GOOGLE = { ...MULTI_AZ, ...IN_IOWA };

/** A cloud whose nodes are instances of the fake of Compute Engine, each with a real host. */
export class GcpWorld {
  private readonly random = new SeededRandom(Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000));

  private constructor(
    readonly machines: MachineWorld,
    readonly compute: FakeCompute,
    readonly google: FakeGoogle,
    readonly hosts: CloudHosts,
    private readonly source: GoogleInstances,
    private readonly bridge: Bridge,
    private readonly place: string,
    private readonly turn: Server,
  ) {}

  /** Waits until no other process has such a world: see GCP_WORLD_WAIT_MS. */
  static async start(broker: WorldBroker = EMBEDDED): Promise<GcpWorld> {
    const turn = await onlyWorld();
    const bridge = Bridge.open();
    const place = await mkdtemp(join(tmpdir(), 'landlord-gcp-'));
    const compute = await FakeCompute.start({ projects: [PROJECT, THEIR_PROJECT], operationMs: OPERATION_MS });
    const google = await FakeGoogle.start(compute.endpoint);
    compute.authorize = (token, project, method) =>
      token === ALL_RIGHTS || mayAct(google.ownerOf(token), project) ? [] : [method];
    const source = new GoogleInstances(compute);
    const hosts = await CloudHosts.start(bridge, source);
    compute.onDone(({ id }) => {
      // Copies the data now, because the disk can be deleted next.
      if (id === 'compute.snapshots.insert') void hosts.disks.copySnapshots();
    });
    const machines = await MachineWorld.open(bridge.address, await testAuthority(bridge.address), {
      settings: { ...broker.settings, ...settings(google) },
      archives: async (directory) => [...(await broker.archives(directory)), ['node', await packNode(place)]],
    });
    return new GcpWorld(machines, compute, google, hosts, source, bridge, place, turn);
  }

  /** Everything that Landlord has now, in this project or in all of them. */
  contents(project = ''): string[] {
    return COLLECTIONS.flatMap((collection) =>
      this.compute
        .resources(collection)
        .filter(({ name, selfLink }) => name.startsWith('ld-') && String(selfLink).includes(`/projects/${project}`))
        .map(({ name, description }) => `${collection} ${name} ${String(description)}`),
    );
  }

  instances() {
    return this.compute.resources('instances');
  }

  /** What somebody else asks Google for, with all rights. */
  async ask(path: string, body: object): Promise<void> {
    const { endpoint } = this.compute;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${ALL_RIGHTS}` };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${endpoint}/compute/v1/${path}`, request);
    expect(answer.status).toBe(200);
    const { selfLink = '' } = (await answer.json()) as { selfLink?: string };
    const operation = endpoint + new URL(selfLink).pathname;
    await eventually('the end of the operation', async () => {
      const { status } = (await (await fetch(operation, { headers })).json()) as { status?: string };
      return status === 'DONE';
    });
  }

  /** Until the work ends: kills the Supervisor at any time, and spoils calls before each kill. */
  amidFaults<T>(work: Promise<T>): Promise<T> {
    const { random, machines, compute } = this;
    // Otherwise a fault that no call has met would meet a call of the test.
    return amidFaults(work, { random, machines, calls: compute }).finally(() => compute.calm());
  }

  /** Also fails for a request that breaks the schemas of Google. */
  async stop(): Promise<void> {
    await this.machines.stop();
    await this.hosts.stop();
    this.source.close();
    await this.google.stop();
    await this.compute.stop();
    this.bridge.close();
    await rm(this.place, { recursive: true, force: true });
    this.turn.close();
    console.log(
      `${this.compute.requests.length} requests to Compute Engine, ${this.compute.faults.length} broke its schemas`,
    );
    expect(this.compute.faults).toEqual([]);
  }
}

/** Landlord's own account works in its project, and the service account of a customer in the customer's. Images are for everybody. */
function mayAct(owner: string | null | undefined, project: string): boolean {
  if (owner === undefined) return false;
  return project.endsWith('-cloud') || (owner === null ? project === PROJECT : owner.includes(`@${project}.`));
}

const settings = (google: FakeGoogle): Record<string, string> => ({
  ...google.environment,
  LANDLORD_PROVIDER_GCP: 'gcp',
  GCP_ENDPOINT: google.endpoint,
  GCP_PROJECT: PROJECT,
  GCP_PROCESSORS: process.arch,
});
