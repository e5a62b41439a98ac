import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { nodeProcesses, skippedSuite, testAuthority } from '@libs/testing';
import { mayBootHosts } from '../../../../libs/host/test/machine/container.fixture.js';
import { packChanged, packNode } from '../../../../libs/host/test/machine/machine.fixture.js';
import { writeArtifacts, type WrittenArtifact } from '../../../../scripts/artifacts/artifacts.mjs';
import { MachineWorld } from '../machine-world.js';
import { Bridge } from './bridge.js';
import { RealHost, type PrintedToken } from './real-host.js';

const LANDLORD = resolve('dist/libs/launcher/src/main.js');

export const describeWithHosts =
  mayBootHosts && spawnSync('ip', ['-Version']).status === 0
    ? describe
    : skippedSuite('there is no host with systemd', 'Run "npm run machine:host" and the tests as root, with iproute2');

/** A cloud with hosts of their own network and their own systemd. */
export class HostWorld {
  readonly hosts: RealHost[] = [];

  private constructor(
    readonly machines: MachineWorld,
    private readonly bridge: Bridge,
    private readonly place: string,
  ) {}

  static async start(zones: readonly string[]): Promise<HostWorld> {
    const bridge = Bridge.open();
    const place = await mkdtemp(join(tmpdir(), 'landlord-hosts-'));
    const machines = await MachineWorld.open(bridge.address, await testAuthority(bridge.address));
    const world = new HostWorld(machines, bridge, place);
    try {
      await writeArtifacts(world.artifacts, [['node', await packNode(place)]]);
      for (const zone of zones) await world.join(zone);
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  private get artifacts(): string {
    return join(this.machines.cloud.directory, 'artifacts');
  }

  async join(zone: string): Promise<RealHost> {
    const printed = JSON.parse(await this.landlord('machines', 'token', '--zone', zone, '--json')) as PrintedToken;
    const host = await RealHost.join(this.machines.cloud, this.bridge, zone, printed);
    this.hosts.push(host);
    return host;
  }

  /** Takes a removed host out of the world. */
  async retire(host: RealHost): Promise<void> {
    this.hosts.splice(this.hosts.indexOf(host), 1);
    await host.destroy();
  }

  /** The output of an operator's command. */
  async landlord(...args: string[]): Promise<string> {
    const { cloud, url } = this.machines;
    const env = { ...cloud.supervisorEnv, DATABASE_URL: cloud.database.url, AGENT_PUBLIC_URL: url };
    return (await promisify(execFile)(process.execPath, [LANDLORD, ...args], { env })).stdout;
  }

  /** Makes the agents with these changed files the current ones of the installation. Returns their sha256. */
  async publishAgent(files: Record<string, string>): Promise<string> {
    const { artifacts } = JSON.parse(readFileSync(join(this.artifacts, 'manifest.json'), 'utf8')) as {
      artifacts: WrittenArtifact[];
    };
    const current = artifacts.find(({ name, superseded }) => name === 'agent' && !superseded) as WrittenArtifact;
    const folder = join(this.place, current.sha256);
    mkdirSync(folder, { recursive: true });
    await extract({ cwd: folder, file: join(this.artifacts, current.sha256) });
    const file = await packChanged(this.place, folder, files);
    const content = readFileSync(file);
    const next = { ...current, sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
    copyFileSync(file, join(this.artifacts, next.sha256));
    const isPart = ({ sha256, over }: WrittenArtifact): boolean => [sha256, over].includes(current.sha256);
    const moved = artifacts.filter(({ over }) => over === current.sha256).map((one) => ({ ...one, over: next.sha256 }));
    const kept = artifacts.map((one) => (isPart(one) ? { ...one, superseded: true } : one));
    writeFileSync(join(this.artifacts, 'manifest.json'), JSON.stringify({ artifacts: [next, ...moved, ...kept] }));
    return next.sha256;
  }

  /** Pids of all processes of nodes, by their command. */
  async processes(): Promise<Map<number, string>> {
    const found = await nodeProcesses(this.machines.cloud.installation.installation);
    return new Map(found.map(({ pid, command }) => [pid, command]));
  }

  async stop(): Promise<void> {
    for (const host of this.hosts) await host.destroy();
    await this.machines.stop();
    this.bridge.close();
    await rm(this.place, { recursive: true, force: true });
  }
}
