import { execFile } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { create } from 'tar';
import {
  IGGY_SERVER,
  IGGY_SETTINGS,
  NATS_SERVER,
  skippedSuite,
  TestCloud,
  testAuthority,
  type TestAuthority,
  type TestDeployment,
} from '@libs/testing';
import { writeArtifacts } from '../../../scripts/artifacts/artifacts.mjs';
import { HOST_ADDRESS, JoinedHost, TlsEntrance } from './joined-host.js';

export const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;
/** Three nodes in three zones. */
export const MULTI_AZ = { availability_mode: 'multi_az', managed_tier: 'enterprise' };

/** A node on a machine, as the database has it. */
export interface Placed {
  id: number;
  machine: number;
  incarnation: number;
}

export const describeOnNetwork =
  HOST_ADDRESS === null ? skippedSuite('this host has only the loopback', 'Connect the host to a network') : describe;

/** The broker of new deployments. */
export interface WorldBroker {
  settings: Record<string, string>;
  /** Its programs as `writeArtifacts` takes them. The directory is for files. */
  archives: (directory: string) => Promise<[name: string, file: string][]>;
}

export const EMBEDDED: WorldBroker = { settings: { LOCAL_BROKER: 'embedded' }, archives: async () => [] };

/** The nats-server of the tests, as a release that an operator downloads. */
export const NATS: WorldBroker = {
  settings: { LOCAL_BROKER: 'nats', NATS_SERVER_BIN: NATS_SERVER ?? '' },
  archives: async (directory) => {
    const program = NATS_SERVER ?? '';
    const { stdout } = await promisify(execFile)(program, ['--version']);
    const file = join(directory, `nats-server-${stdout.trim().split('v').at(-1)}-linux-${process.arch}.tar.gz`);
    await create({ file, gzip: true, cwd: dirname(program) }, [basename(program)]);
    return [['nats', file]];
  },
};

/** The programs of iggy that the tests use. */
export const IGGY: WorldBroker = {
  settings: IGGY_SETTINGS,
  archives: async () => [['iggy', dirname(IGGY_SERVER ?? '')]],
};

/** A cloud whose nodes run on machines, with one host in each of three zones. All hosts are directories of this one. */
export class MachineWorld {
  readonly hosts: JoinedHost[] = [];

  private constructor(
    readonly cloud: TestCloud,
    private readonly entrance: TlsEntrance,
    readonly authority: TestAuthority,
    readonly url: string,
    /** The address of this host, as nodes see their clients. */
    private readonly address: string,
  ) {}

  static async start(broker: WorldBroker = EMBEDDED): Promise<MachineWorld> {
    const world = await MachineWorld.open(HOST_ADDRESS ?? '', await testAuthority(), broker);
    for (const zone of ZONES) await world.join(zone);
    return world;
  }

  /** The cloud without hosts. `address`: where machines reach the gateway. */
  static async open(address: string, authority: TestAuthority, broker: WorldBroker = EMBEDDED): Promise<MachineWorld> {
    const entrance = await TlsEntrance.open(authority);
    const url = `https://${address}:${entrance.port}`;
    const env = { LANDLORD_PROVIDER_AWS: 'machines', AGENT_PUBLIC_URL: url, AGENT_CA: authority.caFile };
    const cloud = await TestCloud.start({ env: { ...env, ...broker.settings, NODE_UNREACHABLE_SECONDS: '20' } });
    entrance.leadTo(Number(cloud.supervisorEnv['GATEWAY_PORT']));
    await writeArtifacts(join(cloud.directory, 'artifacts'), await broker.archives(cloud.directory));
    return new MachineWorld(cloud, entrance, authority, url, address);
  }

  async join(zone: string): Promise<JoinedHost> {
    const host = await JoinedHost.join(this.cloud, zone, { url: this.url, caFile: this.authority.caFile });
    this.hosts.push(host);
    return host;
  }

  placed(deployment: TestDeployment): Promise<Placed[]> {
    return this.cloud.rows<Placed>(
      `select node_id::int as id, machine_id::int as machine, incarnation from machine_nodes where deployment_id = $1 order by node_id`,
      [deployment.id],
    );
  }

  /** Opens the deployment to this host, and waits until every node accepts a client. */
  async open(deployment: TestDeployment): Promise<void> {
    await deployment.permit({ cidr_blocks: [`${this.address}/32`] });
    for (const [index] of (await deployment.nodes()).entries()) await (await deployment.admits(index)).close();
  }

  /** Writes the texts, and returns what a reader gets. */
  async exchange(deployment: TestDeployment, topic: string, texts: readonly string[]): Promise<string[]> {
    const client = await deployment.admits();
    await client.write(topic, ...texts);
    const read = await client.readAll(topic, texts.length);
    await client.close();
    return read.sort();
  }

  async stop(): Promise<void> {
    for (const host of this.hosts) await host.destroy();
    await this.cloud.stop();
    this.entrance.close();
  }
}
