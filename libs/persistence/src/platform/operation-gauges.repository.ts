import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';
import type { Operation } from './entities/operation.entity.js';

const OPEN = statement(
  'gauges.operations',
  `select type, step, count(*)::int as operations, max(extract(epoch from now() - step_entered_at))::float8 as age_seconds,
          (count(*) filter (where wake_at <= now() and (lease_until is null or lease_until < now())))::int as due
     from operations where status in ('pending', 'running') group by type, step`,
);
const INCIDENTS = statement(
  'gauges.incidents',
  'select kind, count(*)::int as incidents from incidents where closed_at is null group by kind',
);

/** Number of open operations per type and step. */
export interface OpenOperations extends Pick<Operation, 'type' | 'step'> {
  operations: number;
  /** The age of the operation that has been in the step longest. */
  age_seconds: number;
  /** Number of operations that are due and have no worker. */
  due: number;
}

/** The values for the gauges of the workflow engine. */
@Injectable()
export class OperationGaugesRepository {
  constructor(private readonly database: Database) {}

  async openUnscoped(): Promise<OpenOperations[]> {
    return this.database.query<OpenOperations>(OPEN);
  }

  async incidents(): Promise<{ kind: string; incidents: number }[]> {
    return this.database.query<{ kind: string; incidents: number }>(INCIDENTS);
  }
}
