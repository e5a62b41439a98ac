import { randomBytes } from 'node:crypto';
import {
  GcpAccountCheck,
  GcpAccounts,
  GcpProvider,
  SharedCallPermits,
  SharedDriverMemory,
  type GcpNodeSettings,
  type GcpServiceAccount,
  type Place,
  type ResourceRef,
} from '@libs/cloud';
import { Secrets } from '@libs/persistence';
import {
  CloudCallSlotsRepository,
  DriverResourcesRepository,
  MachineReservationsRepository,
} from '@libs/persistence/runtime';
import { FakeCompute, FakeGoogle, OPERATOR_TOKEN, WorkflowBench } from '@libs/testing';

export const INSTALLATION = 'bench';
export const REGION = 'us-central1';
/** The project of the operator. */
export const OWN_PROJECT = 'landlord-test';
/** The project of a customer. */
export const THEIR_PROJECT = 'their-project';
export const THEIR_ACCOUNT = `landlord-byoc@${THEIR_PROJECT}.iam.gserviceaccount.com`;

const SECRETS = new Secrets(`test:${randomBytes(32).toString('base64')}`);
const TABLES = ['aws_resources', 'cloud_call_slots', 'machine_reservations'];

/** What instances are made of: none of them boots. */
export const unbootedNodes = ({ database }: WorkflowBench): GcpNodeSettings => ({
  machines: new MachineReservationsRepository(database, SECRETS, 'local'),
  join: { url: 'https://gateway.example.com', authority: 'authority', script: 'script' },
  image: 'ubuntu-os-cloud/ubuntu-2404-lts-{processor}',
  processors: ['x64'],
  typesOf: (variant) => (variant === 'small' ? ['n2-standard-2', 'e2-standard-2'] : ['n2-standard-4', 'e2-standard-4']),
});

/** Drivers of Google Cloud with one database, on the fake of Compute Engine. */
export class GcpBench {
  /** The service account that the tenant of a place has given, by the account of the place. */
  readonly given = new Map<string, GcpServiceAccount>();

  private constructor(
    private readonly bench: WorkflowBench,
    private computes: FakeCompute,
    private googles: FakeGoogle,
  ) {}

  static async open(): Promise<GcpBench> {
    const compute = await FakeCompute.start();
    return new GcpBench(await WorkflowBench.open(), compute, await FakeGoogle.start(compute.endpoint));
  }

  get compute(): FakeCompute {
    return this.computes;
  }

  get google(): FakeGoogle {
    return this.googles;
  }

  /** An empty cloud and an empty memory. */
  async empty(options: Parameters<typeof FakeCompute.start>[0] = {}): Promise<void> {
    await this.stopFakes();
    for (const table of TABLES) await this.bench.rows(`delete from ${table}`);
    this.given.clear();
    this.computes = await FakeCompute.start(options);
    this.googles = await FakeGoogle.start(this.computes.endpoint);
  }

  /** A driver like in another process. */
  driver(installation = INSTALLATION): GcpProvider {
    const { endpoint } = this.googles;
    const access = { endpoint, operator: { token: async () => OPERATOR_TOKEN } };
    const tokens = new GcpAccounts(access, { find: async (account) => this.given.get(account) ?? null });
    const permits = new SharedCallPermits(new CloudCallSlotsRepository(this.bench.database), 'gcp');
    const connection = { endpoint, project: OWN_PROJECT, permits, tokens };
    const memory = new SharedDriverMemory(new DriverResourcesRepository(this.bench.database));
    const accounts = new GcpAccountCheck(access, connection);
    return new GcpProvider(installation, memory, connection, { nodes: unbootedNodes(this.bench), accounts });
  }

  /** As if a minute had passed since everything that the memory has. */
  async aMinuteLater(): Promise<void> {
    await this.rows(
      `update aws_resources
          set parts = regexp_replace(parts::text, '"begun_at": "[^"]*"', '"begun_at": "2026-01-01T00:00:00Z"', 'g')::jsonb`,
    );
  }

  /** A network that somebody else has made. */
  async addNetwork(project: string, name: string, autoCreateSubnetworks = false): Promise<void> {
    const { authorize } = this.computes;
    this.computes.authorize = null;
    const answer = await fetch(`${this.computes.endpoint}/compute/v1/projects/${project}/global/networks`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ name, autoCreateSubnetworks }),
    });
    this.computes.authorize = authorize;
    if (!answer.ok) throw new TypeError(await answer.text());
  }

  rows(sql: string): Promise<unknown[]> {
    return this.bench.rows(sql);
  }

  async close(): Promise<void> {
    await this.stopFakes();
    await this.bench.close();
  }

  private async stopFakes(): Promise<void> {
    await this.googles.stop();
    await this.computes.stop();
  }
}

/** A resource in the operator's project, or in that of a customer. */
export const at = (name: string, account: string | null = null): ResourceRef => {
  const place: Place = { cloud: 'gcp', region: REGION, account };
  return { name, at: place };
};
