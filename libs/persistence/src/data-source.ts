import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { Division } from './organization/entities/division.entity.js';
import { Environment } from './organization/entities/environment.entity.js';
import { Tenant } from './organization/entities/tenant.entity.js';

export interface PersistenceOptions {
  databaseUrl: string;
  /** `LANDLORD_SECRET_KEYS`: id:base64, … */
  secretKeys: string;
  /** PostgreSQL shows this name next to each connection. */
  applicationName: string;
  /** Connections of the pool. */
  poolSize?: number;
}

/** The entities that code reads or writes through TypeORM. The other entities are only types, and loading them costs 100 ms. */
const QUERIED_ENTITIES = [Tenant, Division, Environment];

const STATEMENT_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

// A CHECK on every table limits ids to 2^53 − 1, so a number can represent every id. All connections of a process share this parser.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Connection options of the apps: numbers for bigint, time limits for statements and transactions, no schema changes. */
export function dataSourceOptions(options: PersistenceOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.databaseUrl,
    applicationName: options.applicationName,
    parseInt8: true,
    poolSize: options.poolSize ?? 20,
    entities: QUERIED_ENTITIES,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      // Statements that do not need each other's results share a round trip.
      pipeline: true,
    },
  };
}
