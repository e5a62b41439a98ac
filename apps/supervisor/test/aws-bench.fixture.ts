import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { EC2 } from '@aws-sdk/client-ec2';
import {
  AwsProvider,
  SharedDriverMemory,
  SharedCallPermits,
  type AwsNodeSettings,
  type Place,
  type ResourceRef,
} from '@libs/cloud';
import { Secrets } from '@libs/persistence';
import {
  DriverResourcesRepository,
  CloudCallSlotsRepository,
  MachineReservationsRepository,
} from '@libs/persistence/runtime';
import { AwsFaultProxy, freePorts, MotoServer, setVariables, WorkflowBench } from '@libs/testing';
import { KEYS } from './moto-account.fixture.js';

export const INSTALLATION = 'bench';
export const REGION = 'us-east-1';
/** The account of Moto for its keys. */
export const OWN_ACCOUNT = '123456789012';

const SECRETS = new Secrets(`test:${randomBytes(32).toString('base64')}`);

/** What instances are made of: none of them boots. */
export const unbootedNodes = ({ database }: WorkflowBench): AwsNodeSettings => ({
  machines: new MachineReservationsRepository(database, SECRETS, 'local'),
  join: { url: 'https://gateway.example.com', authority: 'authority', script: 'script' },
  image: '137112412989/al2023-ami-2023.*-{processor}',
  processors: ['x64'],
  typesOf: () => ['m7i.large', 'm6i.large'],
});

/** Drivers of AWS with one database, on Moto behind the fault proxy. */
export class AwsBench {
  /** The account of the operator, asked without the driver and the proxy. */
  readonly ec2: EC2;

  private constructor(
    readonly moto: MotoServer,
    private readonly bench: WorkflowBench,
    private proxied: AwsFaultProxy,
  ) {
    this.ec2 = new EC2({ endpoint: moto.endpoint, region: REGION, credentials: KEYS });
  }

  static async open(): Promise<AwsBench> {
    // The usual place of keys for the operator's own account.
    setVariables({ AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey });
    const [port = 0] = await freePorts(1);
    const [bench, moto] = await Promise.all([WorkflowBench.open(), MotoServer.start(port)]);
    return new AwsBench(moto, bench, await AwsFaultProxy.start(moto.endpoint));
  }

  get proxy(): AwsFaultProxy {
    return this.proxied;
  }

  /** An empty cloud, an empty memory, and a proxy without faults. */
  async empty(): Promise<void> {
    await this.proxied.stop();
    await this.moto.reset();
    for (const table of ['aws_resources', 'cloud_call_slots', 'machine_reservations'])
      await this.bench.rows(`delete from ${table}`);
    this.proxied = await AwsFaultProxy.start(this.moto.endpoint);
  }

  /** A driver like in another process, or one of another installation with its own database. */
  driver(installation = INSTALLATION, bench = this.bench): AwsProvider {
    const connection = {
      endpoint: this.proxied.endpoint,
      permits: new SharedCallPermits(new CloudCallSlotsRepository(bench.database), 'aws'),
      credentialsOf: () => async () => KEYS,
    };
    const memory = new SharedDriverMemory(new DriverResourcesRepository(bench.database));
    return new AwsProvider(installation, memory, connection, unbootedNodes(bench));
  }

  /** As if a minute had passed: AWS now shows what it has created. */
  async aMinuteLater(): Promise<void> {
    await this.rows(
      `update aws_resources
          set parts = regexp_replace(parts::text, '"begun_at": "[^"]*"', '"begun_at": "2026-01-01T00:00:00Z"', 'g')::jsonb`,
    );
  }

  rows(sql: string): Promise<unknown[]> {
    return this.bench.rows(sql);
  }

  async close(): Promise<void> {
    jest.restoreAllMocks();
    await this.proxied.stop();
    await this.moto.stop();
    await this.bench.close();
  }
}

/** A resource in the operator's account, or in that of a customer. */
export const at = (name: string, account: string | null = null): ResourceRef => {
  const place: Place = { cloud: 'aws', region: REGION, account };
  return { name, at: place };
};
