import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BrokerDriver } from '@libs/domain';
import {
  ApiClient,
  eventually,
  freePorts,
  killNodeProcesses,
  NATS_SERVER,
  nextPortRange,
  nodeProcesses,
  type ApiAnswer,
} from '@libs/testing';
import type { Bootstrap } from './old-installation.fixture.js';

export interface RunningOptions {
  /** Absolute path of a directory that does not exist. */
  dataDirectory: string;
  broker: BrokerDriver;
  /** Absolute path of the folder `dist` of the release. Default: that of this checkout. */
  dist?: string;
  /** More settings of the launcher. */
  settings?: Record<string, string>;
}

/** A deployment that clients can connect to. */
export interface OpenDeployment {
  id: string;
  endpoints: string[];
  login: { username: string; password: string };
}

/** `landlord start`: the launcher, PostgreSQL, both apps, and the processes of the nodes. */
export class RunningLandlord {
  /** What the launcher prints. */
  output = '';
  private launcher: ChildProcess | null = null;
  /** The settings of the launcher. */
  environment: Record<string, string> = {};
  private bootstrapFile: Bootstrap | null = null;
  private readonly clients: ApiClient[] = [];

  private constructor(private readonly options: RunningOptions) {}

  static async start(options: RunningOptions): Promise<RunningLandlord> {
    const landlord = new RunningLandlord(options);
    await landlord.begin();
    return landlord;
  }

  get main(): ApiClient {
    return this.clients[0] as ApiClient;
  }

  get runtime(): ApiClient {
    return this.clients[1] as ApiClient;
  }

  get bootstrap(): Bootstrap {
    return this.bootstrapFile as Bootstrap;
  }

  get installation(): string {
    return readFileSync(this.path('installation'), 'utf8').trim();
  }

  path(name: string): string {
    return join(this.options.dataDirectory, name);
  }

  async createDeployment(): Promise<OpenDeployment> {
    const { tenant_id: tenant, division_id: division } = this.bootstrap;
    const shape = { cloud: 'aws', region: 'us-east-1' };
    const accepted = await this.main.post(`/tenants/${tenant}/divisions/${division}/deployments/starter`, shape);
    await this.succeeds(accepted);
    return this.open(String(accepted.headers.get('ld-deployment')));
  }

  /** Resolves when the operation of an answer has succeeded. */
  async succeeds(accepted: ApiAnswer): Promise<void> {
    expect(accepted.headers.get('ld-operation')).not.toBeNull();
    const operation = `/tenants/${this.bootstrap.tenant_id}/operations/${accepted.headers.get('ld-operation')}?wait=20`;
    let last: unknown;
    await eventually(
      () => `the operation succeeds: ${JSON.stringify(last)}`,
      async () => (last = (await this.main.get(operation)).body as { status: string }).status === 'succeeded',
    );
  }

  /** Pids of the launcher, both apps, the agents and the brokers. */
  async processes(): Promise<number[]> {
    const apps = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => commandOf(pid).includes(`--landlord-app=${this.installation}`));
    const nodes = await nodeProcesses(this.installation);
    return [this.launcher?.pid ?? 0, ...apps.map(Number), ...nodes.map(({ pid }) => pid)].sort((a, b) => a - b);
  }

  async stop(): Promise<void> {
    await this.stopLauncher();
    await killNodeProcesses(this.installation);
  }

  /** Sends SIGTERM. Resolves with the exit code when the launcher has ended. */
  async stopLauncher(): Promise<number | null> {
    const { launcher } = this;
    launcher?.kill('SIGTERM');
    await eventually('the launcher ends', () => launcher?.exitCode !== null);
    return launcher?.exitCode ?? null;
  }

  /** Runs `landlord upgrade` of a release. Resolves with the exit code and the whole output of the launcher before. */
  async upgradeTo(dist: string): Promise<{ code: number | null; output: string }> {
    const { launcher: before, output } = this;
    let last = '';
    before?.stdout?.on('data', (chunk: Buffer) => (last += chunk.toString()));
    await this.launch(dist, 'upgrade');
    await eventually('the launcher before ends', () => before?.exitCode !== null);
    return { code: before?.exitCode ?? null, output: output + last };
  }

  private async begin(): Promise<void> {
    const [mainPort, supervisorPort, gatewayPort] = await freePorts(3);
    this.environment = {
      PATH: process.env['PATH'] ?? '',
      LANDLORD_DATA_DIR: this.options.dataDirectory,
      MAIN_API_PORT: String(mainPort),
      SUPERVISOR_PORT: String(supervisorPort),
      GATEWAY_PORT: String(gatewayPort),
      LOCAL_PORT_RANGE: nextPortRange(),
      LOCAL_BROKER: this.options.broker,
      ...(this.options.broker === 'nats' && { NATS_SERVER_BIN: NATS_SERVER ?? '' }),
      RATE_LIMIT: 'off',
      ...this.options.settings,
    };
    await this.launch(this.options.dist ?? resolve('dist'), 'start');
    this.bootstrapFile = JSON.parse(readFileSync(this.path('bootstrap.json'), 'utf8')) as Bootstrap;
    for (const port of [mainPort, supervisorPort])
      this.clients.push(new ApiClient(`http://127.0.0.1:${port}`, this.bootstrap.api_key));
  }

  /** Resolves when this launcher has greeted. */
  private async launch(dist: string, verb: 'start' | 'upgrade'): Promise<void> {
    const launcher = spawn(process.execPath, [join(dist, 'libs/launcher/src/main.js'), verb], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.launcher = launcher;
    this.output = '';
    for (const stream of [launcher.stdout, launcher.stderr])
      stream.on('data', (chunk: Buffer) => this.launcher === launcher && (this.output += chunk.toString()));
    const isUp = (): boolean => this.output.includes('Press Ctrl-C');
    await eventually('the launcher starts or ends', () => isUp() || launcher.exitCode !== null);
    expect(isUp() ? 'up' : this.output).toBe('up');
  }

  private async open(id: string): Promise<OpenDeployment> {
    const rule = { name: 'here', cidr_blocks: ['127.0.0.0/8'], rules: { broker_tcp: true } };
    expect((await this.runtime.post(`/deployments/${id}/access_rules`, rule)).status).toBe(201);
    const { nodes } = (await this.runtime.get(`/deployments/${id}`)).body as {
      nodes: { endpoints: { tcp: string } }[];
    };
    const { body: login } = await this.runtime.get(`/deployments/${id}/credentials`);
    return { id, endpoints: nodes.map(({ endpoints }) => endpoints.tcp), login };
  }
}

/** The command line of a process. Empty when it has ended. */
export function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // It has ended.
    return '';
  }
}
