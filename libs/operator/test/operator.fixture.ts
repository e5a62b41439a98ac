import { randomBytes } from 'node:crypto';
import {
  InitialRowsRepository,
  NodeDocumentsRepository,
  NodesRepository,
  type NewNode,
} from '@libs/persistence/runtime';
import type { Installation } from '@libs/persistence/migrations';
import { createTestDatabase, nextNodeIds, seedTestInstallation, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import { OperatorSession } from '../src/operator-session.js';

export const TRACE = '0'.repeat(32);

export const secretKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

/** An installation in its own database, and a session on it. */
export class OperatorBench {
  private constructor(
    private readonly testDatabase: TestDatabase,
    private readonly sql: pg.Pool,
    readonly installation: Installation,
    readonly session: OperatorSession,
    readonly keys: string,
  ) {}

  static async open(): Promise<OperatorBench> {
    const testDatabase = await createTestDatabase();
    const installation = await seedTestInstallation(testDatabase.url);
    const keys = secretKey('k1');
    const session = await openSession(testDatabase.url, keys);
    const sql = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
    // A pool reports its end before the server has closed the connections, and then the database is dropped.
    sql.on('error', () => undefined);
    return new OperatorBench(testDatabase, sql, installation, session, keys);
  }

  get url(): string {
    return this.testDatabase.url;
  }

  get tenantId(): number {
    return this.installation.tenant_id;
  }

  async close(): Promise<void> {
    await this.session.close();
    await this.sql.end();
    await this.testDatabase.drop();
  }

  /** Runs the work in a session with other keys, and closes the session. */
  async withKeys<T>(keys: string, work: (session: OperatorSession) => Promise<T>): Promise<T> {
    const session = await openSession(this.url, keys);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.sql.query<Row>(text, values)).rows;
  }

  /** A serving deployment with one node and its document. Returns both ids. */
  async deployment(name: string): Promise<{ deploymentId: number; nodeId: number }> {
    const { tenant_id, division_id, environment_id } = this.installation;
    const [row] = await this.rows<{ id: string }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier,
         cluster, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count,
         telemetry_days, monthly_compute, monthly_storage, pricing_version)
       values ($1, $2, $3, $4, $4, 'starter', 'aws', 'us', 'us-east-1', 'local', 'free', 'single', 'standard', 10, 10,
         'public', 'single_az', 1, 7, 0, 0, '1') returning id`,
      [tenant_id, division_id, environment_id, name],
    );
    const deploymentId = Number(row?.id);
    const { database, secrets } = this.session;
    const [nodeId = 0] = await nextNodeIds(this, 1);
    await database.transaction(async () => {
      await new InitialRowsRepository(database, secrets).insert(deploymentId, {
        cell: 'local',
        runtimeVersion: '1.2.0',
        authorId: null,
        nodes: [{ ...NODE, id: nodeId }],
        isOpenToAll: true,
        hasPublicIp: true,
        isEncrypted: true,
        rateLimitBytes: null,
        restoreSource: null,
      });
      await new NodesRepository(database).listenOn(nodeId, '127.0.0.1', 'zone-a');
      await new NodeDocumentsRepository(database, secrets).publish(nodeId, TRACE);
    });
    await this.rows(`update deployment_runtimes set status = 'initialized' where deployment_id = $1`, [deploymentId]);
    return { deploymentId, nodeId };
  }

  /** A running operation. */
  async operation(type: string, step: string, deploymentId: number | null = null): Promise<number> {
    const [row] = await this.rows<{ id: string }>(
      `insert into operations (type, queue, tenant_id, deployment_id, changing, status, step, trace_id, attempt, wake_at, last_error)
       values ($1, 'operations.local', $2, $3, true, 'running', $4, $5, 3, now() + interval '1 hour', 'it rains') returning id`,
      [type, this.tenantId, deploymentId, step, randomBytes(16).toString('hex')],
    );
    return Number(row?.id);
  }

  /** Actions of operators, oldest first. */
  actions(): Promise<{ operator: string; verb: string; subject: string }[]> {
    return this.rows('select operator, verb, subject from operator_actions order by id');
  }

  /** Audit entries of the tenant about actions of operators, oldest first. */
  audit(): Promise<{ type: string; author_name: string; deployment_name: string | null; data: object }[]> {
    return this.rows(
      'select type, author_name, deployment_name, data from audit_entries where author_id = 0 order by id',
    );
  }
}

const NODE: Omit<NewNode, 'id'> = {
  ...{ ordinal: 1, name: 'node-1', role: 'leader', broker_driver: 'embedded', broker_version: '1.2.0' },
  ...{ image_id: 'image', storage_type: 'standard', storage_size: 10, variant: 'small', memory_mib: 4096 },
};

const openSession = (databaseUrl: string, secretKeys: string): Promise<OperatorSession> =>
  OperatorSession.open({ databaseUrl, secretKeys, operator: 'ada@engine' });
