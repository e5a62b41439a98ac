import { Logger } from '@nestjs/common';
import type { OperationId, RefusalConsequence } from '@libs/domain';
import type { OperationRow } from './operation-row.js';
import type { StepResult } from './step-result.js';
import type { Failure } from './workflow.js';

const about = (row: OperationRow): object => ({
  operation: row.id,
  workflow: row.type,
  step: row.step,
  attempt: row.attempt,
  deployment: row.deployment_id,
  traceId: row.trace_id,
});

/** Log lines of the runner: constant messages with fields, one per event. */
export class WorkflowLog {
  private readonly logger = new Logger('Workflow');

  stepRan(row: OperationRow, result: StepResult, ms: number): void {
    const to = result.kind === 'hop' ? result.to : result.kind;
    this.logger.debug({ ...about(row), to, ms: Math.round(ms) }, 'step ran');
  }

  stepFailed(row: OperationRow, error: unknown, retryInSeconds: number): void {
    this.logger.warn({ ...about(row), retryInSeconds, error: String(error) }, 'step failed, will be tried again');
  }

  refused(row: OperationRow, reason: string, consequence: RefusalConsequence): void {
    this.logger.warn({ ...about(row), reason, consequence }, 'call refused');
  }

  failed(row: OperationRow, failure: Failure): void {
    this.logger.error({ ...about(row), reason: failure.reason }, 'operation is given up and undone');
  }

  ended(row: OperationRow, status: string): void {
    this.logger.log({ ...about(row), status }, 'operation ended');
  }

  skipped(row: OperationRow): void {
    this.logger.warn(about(row), 'step is skipped, an operator asked for it');
  }

  unknownStep(row: OperationRow): void {
    this.logger.error(about(row), 'no step of this name, incident opened');
  }

  interrupted(operation: OperationId, error: unknown): void {
    this.logger.warn({ operation, error: String(error) }, 'run interrupted, the sweeper will ring again');
  }

  incident(operation: OperationId, step: string): void {
    this.logger.error({ operation, step }, 'step missed its deadline, incident opened');
  }
}
