import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EC2, type Instance } from '@aws-sdk/client-ec2';
import { AwsFaultProxy, freePorts, MotoServer, SeededRandom, skippedSuite, testAuthority } from '@libs/testing';
import { packNode } from '../../../libs/host/test/machine/machine.fixture.js';
import { describeWithHosts } from '../machines/hosts/host-world.js';
import { Bridge } from '../machines/hosts/bridge.js';
import { EMBEDDED, MachineWorld, type WorldBroker } from '../machines/machine-world.js';
import { contentsOf } from './moto-inventory.js';
import { amidFaults } from '../clouds/amid-faults.js';
import { CloudHosts } from '../clouds/cloud-hosts.js';
import { MotoInstances } from './moto-instances.js';
import { onlyWorld } from '../clouds/one-world.js';

const KEYS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' };
const missing = await MotoServer.install();

/** A suite that needs Moto, and hosts with systemd. */
export const describeWithAws = missing === null ? describeWithHosts : skippedSuite('Moto is missing', missing);

/** For the hook that starts a world: the worlds of other files take their turns first. */
export const AWS_WORLD_WAIT_MS = 30 * 60_000;

/** A cloud whose nodes are instances of Moto, each with a real host. */
export class AwsWorld {
  private readonly random = new SeededRandom(Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000));

  private constructor(
    readonly machines: MachineWorld,
    readonly proxy: AwsFaultProxy,
    readonly hosts: CloudHosts,
    /** The account, asked without the driver and without the proxy. */
    readonly ec2: EC2,
    readonly moto: MotoServer,
    private readonly bridge: Bridge,
    private readonly place: string,
    private readonly turn: Server,
  ) {}

  /** Waits until no other process has such a world: see AWS_WORLD_WAIT_MS. */
  static async start(broker: WorldBroker = EMBEDDED): Promise<AwsWorld> {
    const turn = await onlyWorld();
    const bridge = Bridge.open();
    const place = await mkdtemp(join(tmpdir(), 'landlord-aws-'));
    const [port = 0] = await freePorts(1);
    const moto = await MotoServer.start(port);
    const proxy = await AwsFaultProxy.start(moto.endpoint);
    const ec2 = new EC2({ endpoint: moto.endpoint, region: 'us-east-1', credentials: KEYS });
    const hosts = await CloudHosts.start(bridge, new MotoInstances(ec2));
    // The moment of a snapshot is before the answer.
    proxy.delays.set('CreateSnapshot', () => hosts.disks.copySnapshots());
    const machines = await MachineWorld.open(bridge.address, await testAuthority(bridge.address), {
      settings: { ...broker.settings, ...settings(proxy) },
      archives: async (directory) => [...(await broker.archives(directory)), ['node', await packNode(place)]],
    });
    return new AwsWorld(machines, proxy, hosts, ec2, moto, bridge, place, turn);
  }

  /** Everything that Landlord has in the account now. */
  contents(): Promise<string[]> {
    return contentsOf(this.ec2, this.moto.endpoint, KEYS);
  }

  /** The instances that have not ended. */
  async instances(): Promise<Instance[]> {
    const { Reservations = [] } = await this.ec2.describeInstances({});
    const all = Reservations.flatMap(({ Instances = [] }) => Instances);
    return all.filter(({ State }) => State?.Name !== 'terminated');
  }

  /** Until the work ends: kills the Supervisor at any time, and spoils calls before each kill. */
  amidFaults<T>(work: Promise<T>): Promise<T> {
    const { random, machines } = this;
    return amidFaults(work, { random, machines, calls: this.proxy });
  }

  /** Also fails for calls of this world that are careless with the account. */
  async stop(): Promise<void> {
    await this.machines.stop();
    await this.hosts.stop();
    await this.proxy.stop();
    await this.moto.stop();
    this.bridge.close();
    await rm(this.place, { recursive: true, force: true });
    this.turn.close();
    expect(carelessCalls(this.proxy)).toEqual([]);
  }
}

/** AWS gives these no tags, or has the same answer for everybody. */
const WITHOUT_TAGS = new Set(['CreateRoute']);
const FOR_EVERYBODY = new Set(['DescribeAvailabilityZones']);

const SEARCHES = /^Describe|^GetResources$/;

type Call = AwsFaultProxy['calls'][number];

/** Creations without an owner in the same call, and searches that read the whole account. */
function carelessCalls({ calls, creations }: Pick<AwsFaultProxy, 'calls' | 'creations'>): string[] {
  const isTagged = ({ parameters }: Call): boolean => [...parameters.keys()].some((key) => /Tags?\./.test(key));
  const isNarrow = ({ parameters }: Call): boolean =>
    [...parameters.keys()].some(
      (key) => /^(Filter|TagFilters|.*Ids?|.*Arns?|Names?|Owner)\./.test(key) || /Arn$|^ServiceId$/.test(key),
    );
  const untagged = creations.filter((call) => !WITHOUT_TAGS.has(call.action) && !isTagged(call));
  const wide = calls.filter((call) => SEARCHES.test(call.action) && !FOR_EVERYBODY.has(call.action) && !isNarrow(call));
  return [...untagged, ...wide].map(({ action }) => action);
}

const settings = (proxy: AwsFaultProxy): Record<string, string> => ({
  LANDLORD_PROVIDER_AWS: 'aws',
  AWS_ENDPOINT_URL: proxy.endpoint,
  AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  AWS_PROCESSORS: process.arch,
});
