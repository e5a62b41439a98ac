import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Installation as Seeded } from '@libs/persistence/migrations';
import { CellsRepository, MailsRepository, UpgradesRepository } from '@libs/persistence/organization';
import { Database, Notifications, dataSourceOptions, Secrets } from '@libs/persistence';
import { openObjectStore } from '@libs/object-store';
import { SilentWakeUpQueue } from '@libs/queue';
import { ApiClient, createTestDatabase, given, seedTestInstallation, type TestDatabase } from '@libs/testing';
import { OperationStore, OperatorRequests, Runner, WorkflowLog, type Workflow } from '@libs/workflow';
import type { INestApplication } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { UpgradeReconciler } from '../../../apps/main-api/src/deployments/upgrade/upgrade-reconciler.js';
import { MailReconciler } from '../../../apps/main-api/src/mail/mail-reconciler.js';
import { MailTransport, type OutgoingMail } from '../../../apps/main-api/src/mail/mail-transport.js';
import { Mailbox } from '../../../apps/main-api/src/mail/mailbox.js';
import { assembleLifecycle, workflowsOf } from '../../../apps/supervisor/test/assemble-lifecycle.fixture.js';
import { startMainApi } from '../in-process/in-process-apps.js';
import type { TenantOptions } from './commands.js';
import { RecordingCloud } from './recording-cloud.js';

const ENOUGH_RUNS = 40;
const PORTS: [number, number] = [10_000, 60_000];

/** A tenant with its key and the place of its deployments. */
export interface ModelTenant {
  id: number;
  divisionId: number;
  environmentId: number;
  ownerEmail: string;
  api: ApiClient;
}

/** Receives mails at once and stores them by recipient. */
class Postbox extends MailTransport {
  readonly destination = 'the model';
  private readonly received = new Map<string, string[]>();
  private readonly waiting = new Map<string, () => void>();

  async deliver({ to, text }: OutgoingMail): Promise<void> {
    this.received.set(to, [...(this.received.get(to) ?? []), text]);
    this.waiting.get(to)?.();
  }

  /** Waits for the n-th mail to this recipient, counted from 1. */
  async nth(to: string, n: number): Promise<string> {
    for (;;) {
      const text = this.received.get(to)?.[n - 1];
      if (text !== undefined) return text;
      await new Promise<void>((settle) => this.waiting.set(to, settle));
    }
  }
}

/** Settles the upgrades that have ended, only on request. */
class ManualUpgradeReconciler extends UpgradeReconciler {
  private last: Promise<number> = Promise.resolve(0);

  /** Runs the passes one after the other: a pass skips rows that another pass has locked. */
  async settleNow(): Promise<void> {
    this.last = this.last.then(() => this.pass());
    await this.last;
  }
}

/** The workers of a Supervisor without its process: the workflows with a cloud in memory. */
class Workers {
  private constructor(
    readonly database: Database,
    readonly cloud: RecordingCloud,
    readonly runner: Runner,
    readonly objects: string,
  ) {}

  static async create(database: Database, secrets: Secrets, installation: string, objects: string): Promise<Workers> {
    const [cloud, store] = [new RecordingCloud(), openObjectStore(undefined, objects)];
    const config = { LOCAL_PORT_RANGE: PORTS };
    const module = await assembleLifecycle({ database, secrets, cloud, store, installation, config });
    const workflows: Workflow[] = Object.values(workflowsOf(module));
    const byType = new Map(workflows.map((workflow) => [workflow.type as string, workflow]));
    const operations = new OperationStore(database);
    const runner = new Runner(database, operations, new SilentWakeUpQueue(), byType, new WorkflowLog());
    return new Workers(database, cloud, runner, objects);
  }
}

/** The main API on a real socket with a real database, and workers that run only on request. */
export class ModelInstallation {
  readonly postbox = new Postbox();
  private readonly upgrades: ManualUpgradeReconciler;
  private readonly mailReconciler: MailReconciler;

  private constructor(
    private readonly testDatabase: TestDatabase,
    private readonly source: DataSource,
    private readonly sql: pg.Pool,
    private readonly app: INestApplication,
    private readonly url: string,
    private readonly installation: Seeded,
    private readonly workers: Workers,
  ) {
    const database = app.get(Database);
    this.upgrades = new ManualUpgradeReconciler(database, new UpgradesRepository(database), app.get(Notifications));
    this.mailReconciler = new MailReconciler(
      new MailsRepository(database, app.get(Secrets)),
      app.get(Mailbox),
      this.postbox,
    );
  }

  static async start(): Promise<ModelInstallation> {
    const testDatabase = await createTestDatabase();
    const installation = await seedTestInstallation(testDatabase.url);
    const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
    const app = await startMainApi({ url: installation.role_urls.main_api, secretKeys });
    const databaseUrl = installation.role_urls.supervisor;
    const options = { databaseUrl, secretKeys, applicationName: 'workers', poolSize: 10 };
    const source = new DataSource(dataSourceOptions(options));
    await source.initialize();
    const objects = await mkdtemp(join(tmpdir(), 'landlord-objects-'));
    const [database, secrets] = [new Database(source), new Secrets(secretKeys)];
    const workers = await Workers.create(database, secrets, installation.installation, objects);
    await announce(workers.database);
    const sql = new pg.Pool({ connectionString: testDatabase.url, max: 5 });
    // A pool reports its end before the server has closed its connections. The database is dropped at that time.
    sql.on('error', () => undefined);
    return new ModelInstallation(testDatabase, source, sql, app, await app.getUrl(), installation, workers);
  }

  async stop(): Promise<void> {
    await this.mailReconciler.onModuleDestroy();
    await this.app.close();
    await this.source.destroy();
    await this.sql.end();
    await this.testDatabase.drop();
    await rm(this.workers.objects, { recursive: true, force: true });
  }

  get cloud(): RecordingCloud {
    return this.workers.cloud;
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.sql.query<Row>(text, values)).rows;
  }

  /** Creates a new organization for each sequence. */
  async tenant({ plan, pays }: TenantOptions): Promise<ModelTenant> {
    // A Supervisor announces its cell every ten seconds, and a silent cell gets no orders.
    await announce(this.workers.database);
    const place = { rows: this.rows.bind(this), installation: this.installation };
    const { tenantId, divisionId, environmentId } = await given.tenant(place, plan);
    if (pays) await given.invoiceAgreement(place, tenantId);
    const key = await given.key(place, { tenantId });
    const [owner] = await this.rows<{ email: string }>(
      'select email from users where id = (select owner_id from tenants where id = $1)',
      [tenantId],
    );
    const api = new ApiClient(this.url, key);
    return { id: tenantId, divisionId, environmentId, ownerEmail: owner?.email ?? '', api };
  }

  /** Runs the operation until it waits for reports of its nodes; returns its status. */
  async begin(operation: number): Promise<string> {
    await this.workers.runner.run(operation);
    await this.upgrades.settleNow();
    return this.statusOf(operation);
  }

  /**
   * Runs the operation to its end. The agents of existing nodes report the desired state as soon as the operation
   * waits.
   */
  async finish(operation: number, deployment: number): Promise<string> {
    for (let run = 0; run < ENOUGH_RUNS; run += 1) {
      await this.workers.runner.run(operation);
      const status = await this.statusOf(operation);
      if (!['pending', 'running'].includes(status)) {
        await this.upgrades.settleNow();
        return status;
      }
      await this.backUp(deployment);
      await this.agentsReport(deployment);
      await this.rows('update operations set wake_at = now(), lease_until = null where id = $1', [operation]);
    }
    const [rest] = await this.rows('select step, reason, last_error from operations where id = $1', [operation]);
    throw new TypeError(`operation ${operation} does not end: ${JSON.stringify(rest)}`);
  }

  /** Adds finished upgrades to the history, or reverts failed ones. */
  settle(): Promise<void> {
    return this.upgrades.settleNow();
  }

  /** Cancels the operation as an operator. */
  async cancel(operation: number): Promise<void> {
    const { database } = this.workers;
    await database.transaction(() => new OperatorRequests(database).cancel(operation, 'enough'));
  }

  /** Simulates that time passes for the tenant: moves the times of its deployments and codes into the past. */
  async pass(tenant: number, seconds: number): Promise<void> {
    await this.rows(
      `with codes as (
         update protection_codes set requested_at = requested_at - make_interval(secs => $2),
                                     expires_at = expires_at - make_interval(secs => $2) where tenant_id = $1
       )
       update deployments set upgraded_at = upgraded_at - make_interval(secs => $2) where tenant_id = $1`,
      [tenant, seconds],
    );
  }

  /** Runs the backup that an upgrade requests: it is a separate operation. */
  private async backUp(deployment: number): Promise<void> {
    const open = await this.rows<{ id: number }>(
      `update operations set wake_at = now(), lease_until = null
        where deployment_id = $1 and type = 'take_backup' and status in ('pending', 'running') returning id`,
      [deployment],
    );
    for (const { id } of open) await this.workers.runner.run(Number(id));
  }

  private async agentsReport(deployment: number): Promise<void> {
    await this.rows(
      `update node_orders o set status = 'done', results = jsonb_build_object('data', jsonb_build_object('sha256', repeat('0', 64), 'size_bytes', 1))
         from nodes n where n.id = o.node_id and n.deployment_id = $1 and o.status = 'open'`,
      [deployment],
    );
    await this.rows(
      `update nodes n set last_seen_at = now(), status = 'running', observed_timeline = d.timeline, observed_generation = d.generation
         from node_documents d where d.node_id = n.id and n.deployment_id = $1 and n.id = any($2::bigint[]) and n.status <> 'deleting'`,
      [deployment, this.cloud.of(deployment).map(({ tags }) => tags.node_id)],
    );
  }

  private async statusOf(operation: number): Promise<string> {
    const [row] = await this.rows<{ status: string }>('select status from operations where id = $1', [operation]);
    return row?.status ?? 'gone';
  }
}

/** Announces a cell like a Supervisor that serves every region of both clouds. */
async function announce(database: Database): Promise<void> {
  await database.transaction(() =>
    new CellsRepository(database).announce(
      {
        cell: 'local',
        url: 'http://127.0.0.1:1',
        agent_url: 'http://127.0.0.1:1',
        regions: ['*'],
        cloud_drivers: { aws: 'local', gcp: 'local' },
        features: {},
        brokers: {},
        broker_driver: 'embedded',
        broker_version: '1.2.0',
        version: '0',
      },
      true,
    ),
  );
}
