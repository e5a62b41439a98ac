import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeCompute, FakeGoogle, SeededRandom, testAuthority } from '@libs/testing';
import { packNode } from '../../../libs/machine-agent/test/machine.fixture.js';
import { CloudHosts } from '../clouds/cloud-hosts.js';
import { onlyWorld } from '../clouds/one-world.js';
import { Bridge } from '../machines/hosts/bridge.js';
import { EMBEDDED, MachineWorld, MULTI_AZ, type WorldBroker } from '../machines/machine-world.js';
import { GoogleInstances } from './google-instances.js';

const PROJECT = 'landlord-test';
const MOST_KILLS = 8;
/** A fake operation takes as long as the shortest one of Google. */
const OPERATION_MS = 300;
/** Everything that Landlord can create in a project. */
const COLLECTIONS = [
  ...['networks', 'subnetworks', 'firewalls', 'instances', 'disks', 'snapshots', 'addresses', 'forwardingRules'],
  ...['backendServices', 'healthChecks', 'instanceGroups', 'serviceAttachments'],
];
/** For the hook that starts a world: the worlds of other files take their turns first. */
export const GCP_WORLD_WAIT_MS = 30 * 60_000;
export const IN_IOWA = { cloud: 'gcp', region: 'us-central1' };
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
    const compute = await FakeCompute.start({ projects: [PROJECT, 'their-project'], operationMs: OPERATION_MS });
    const google = await FakeGoogle.start(compute.endpoint);
    compute.authorize = (token) => (google.ownerOf(token) === undefined ? ['every'] : []);
    const source = new GoogleInstances(compute);
    const hosts = await CloudHosts.start(bridge, source);
    const machines = await MachineWorld.open(bridge.address, await testAuthority(bridge.address), {
      settings: { ...broker.settings, ...settings(google) },
      archives: async (directory) => [...(await broker.archives(directory)), ['node', await packNode(place)]],
    });
    return new GcpWorld(machines, compute, google, hosts, source, bridge, place, turn);
  }

  /** Everything that Landlord has in its project now. */
  contents(): string[] {
    return COLLECTIONS.flatMap((collection) =>
      this.compute
        .resources(collection)
        .filter(({ name }) => name.startsWith('ld-'))
        .map(({ name, description }) => `${collection} ${name} ${String(description)}`),
    );
  }

  instances() {
    return this.compute.resources('instances');
  }

  /** Until the work ends: kills the Supervisor at any time, and spoils calls before each kill. */
  async amidFaults<T>(work: Promise<T>): Promise<T> {
    const { random, compute } = this;
    const { supervisor } = this.machines.cloud;
    console.log(`FAULT_SEED=${random.seed}`);
    let isOver = false;
    const ended = work.finally(() => (isOver = true));
    ended.catch(() => undefined);
    compute.throttle(2);
    for (let kills = 0; kills < MOST_KILLS && !isOver; kills += 1) {
      if (random.next() < 0.5) compute.loseNextReply();
      if (random.next() < 0.5) compute.throttle(Math.round(random.between(1, 4)));
      await Promise.race([ended, new Promise((done) => setTimeout(done, random.between(500, 4_000)))]);
      await supervisor.kill();
      await supervisor.start();
    }
    return ended;
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

const settings = (google: FakeGoogle): Record<string, string> => ({
  ...google.environment,
  LANDLORD_PROVIDER_GCP: 'gcp',
  GCP_ENDPOINT: google.endpoint,
  GCP_PROJECT: PROJECT,
  GCP_PROCESSORS: process.arch,
});
