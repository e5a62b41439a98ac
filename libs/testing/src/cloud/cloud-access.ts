import { createClient, type Landlord } from '@landlord/sdk';
import type { OperatorSession } from '@libs/operator';
import type { Installation } from '@libs/persistence/migrations';
import { Database, dataSourceOptions, Secrets } from '@libs/persistence';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ApiClient } from './api-client.js';

const LOST_CONNECTION = ['ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'];

/** The installation of a test: paths of its first tenant, and rows for preparation and comparison. */
export abstract class CloudAccess {
  /** A superuser connection for tests to read and prepare rows. */
  readonly sql: pg.Pool;

  protected constructor(
    readonly installation: Installation,
    private readonly access: { databaseUrl: string; secretKeys: string },
  ) {
    this.sql = new pg.Pool({ connectionString: access.databaseUrl, max: 3 });
    this.sql.on('error', () => undefined);
  }

  /** The data directory of the apps. */
  abstract readonly directory: string;

  /** The key of the first boot, of the tenant's owner. */
  get key(): string {
    return this.installation.api_key ?? '';
  }

  /** Path of the first tenant, and paths below it. */
  get tenant(): string {
    return `/tenants/${this.installation.tenant_id}`;
  }

  get division(): string {
    return `${this.tenant}/divisions/${this.installation.division_id}`;
  }

  get environment(): string {
    return `${this.division}/environments/${this.installation.environment_id}`;
  }

  /** The ids of the first environment, for requests of the SDK. */
  get placeIds(): { division_id: number; environment_id: number } {
    const { division_id, environment_id } = this.installation;
    return { division_id, environment_id };
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await this.sql.query<Row>(text, values)).rows;
    } catch (error) {
      // A pooled connection that died with a crashed PostgreSQL. The pool has removed it now.
      if (!LOST_CONNECTION.includes((error as { code?: string }).code ?? '')) throw error;
      return (await this.sql.query<Row>(text, values)).rows;
    }
  }

  /** Work with the Supervisor's own repositories, for rows that no API route writes. */
  async asSupervisor<T>(work: (database: Database, secrets: Secrets) => Promise<T>): Promise<T> {
    const { secretKeys } = this.access;
    const databaseUrl = this.installation.role_urls.supervisor;
    const source = new DataSource(dataSourceOptions({ databaseUrl, secretKeys, applicationName: 'test', poolSize: 2 }));
    await source.initialize();
    try {
      const database = new Database(source);
      return await database.transaction(() => work(database, new Secrets(secretKeys)));
    } finally {
      await source.destroy();
    }
  }

  /** Like `landlord ops`. Rejects with OperatorRefused. */
  async asOperator<T>(work: (session: OperatorSession) => Promise<T>): Promise<T> {
    // Loaded on use, because few tests act as an operator.
    const { OperatorSession } = await import('@libs/operator');
    const session = await OperatorSession.open({ ...this.access, operator: 'test@test' });
    return work(session).finally(() => session.close());
  }
}

/** An installation whose main API runs. */
export abstract class MainApiAccess extends CloudAccess {
  abstract readonly mainApi: { readonly url: string };

  main(key: string | null = this.key): ApiClient {
    return new ApiClient(this.mainApi.url, key);
  }

  /** The client that users have, with the key of the owner. */
  get landlord(): Landlord {
    const { tenant_id } = this.installation;
    return createClient({ url: this.mainApi.url, apiKey: this.key, tenantId: tenant_id, ...this.supervisorOfAll });
  }

  /** Where the client finds all deployments. Default: the main API tells the client. */
  protected get supervisorOfAll(): { supervisorUrl?: string } {
    return {};
  }
}
