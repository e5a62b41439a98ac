import {
  OPERATIONS,
  type OperationStatus,
  type OperationType,
  type DeploymentId,
  type DivisionId,
  type EnvironmentId,
  type OperationId,
  type TenantId,
} from '@libs/domain';
import { statement, type Database } from '@libs/persistence';

/** The operator's request is refused. The message contains the reason. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

/** The operation of an operator's request, as read when the request was recorded. */
export interface RequestedOperation {
  id: OperationId;
  type: OperationType;
  tenant_id: TenantId;
  division_id: DivisionId | null;
  environment_id: EnvironmentId | null;
  deployment_id: DeploymentId | null;
  step: string;
  status: OperationStatus;
  undoing: boolean;
  trace_id: string;
}

const RETURNING = `returning id, type, tenant_id, division_id, environment_id, deployment_id, step, status, undoing, trace_id`;
const OPEN = `id = $1 and status in ('pending', 'running')`;

const FIND = statement(
  'operator.find',
  `select id, type, tenant_id, division_id, environment_id, deployment_id, step, status, undoing, trace_id
     from operations where id = $1 for update`,
);

// signal_seq changes, so that a step that is about to nap notices the request.
const RETRY = statement(
  'operator.retry',
  `update operations set wake_at = now(), attempt = 0, signal_seq = signal_seq + 1 where ${OPEN} ${RETURNING}`,
);
const SKIP = statement(
  'operator.skip',
  `update operations set skip_step = step, wake_at = now(), signal_seq = signal_seq + 1 where ${OPEN} ${RETURNING}`,
);
const CANCEL = statement(
  'operator.cancel',
  `update operations set cancel_reason = $2, wake_at = now(), signal_seq = signal_seq + 1
    where ${OPEN} and not undoing ${RETURNING}`,
);

/**
 * The requests of an operator to an open operation. This class only records a request. The runner, which alone moves
 * operations, reads it before the next step; the sweeper wakes a worker within a second. Runs in the caller's
 * transaction.
 */
export class OperatorRequests {
  constructor(private readonly database: Database) {}

  /** Runs the current step again now, as a first attempt. @throws RequestRefused */
  async retry(id: OperationId): Promise<RequestedOperation> {
    await this.requireOpen(id);
    return this.note(RETRY, [id]);
  }

  /** Skips the current step as if it had succeeded. The operator must do the work of the step. @throws RequestRefused */
  async skip(id: OperationId): Promise<RequestedOperation> {
    await this.requireOpen(id);
    return this.note(SKIP, [id]);
  }

  /** Cancels the operation: its steps are undone, and it ends as `cancelled`. @throws RequestRefused */
  async cancel(id: OperationId, reason: string): Promise<RequestedOperation> {
    const { type, undoing } = await this.requireOpen(id);
    if (!OPERATIONS[type].cancellable) throw new RequestRefused(`A ${type} cannot be cancelled. Use retry or skip.`);
    if (undoing) throw new RequestRefused(`Landlord already undoes operation ${id}.`);
    return this.note(CANCEL, [id, reason]);
  }

  /** Locks the row, so that the checked state is still true when the request is recorded. */
  private async requireOpen(id: OperationId): Promise<RequestedOperation> {
    const [operation] = await this.database.query<RequestedOperation>(FIND, [id]);
    if (!operation) throw new RequestRefused(`There is no operation ${id}.`);
    if (operation.status !== 'pending' && operation.status !== 'running')
      throw new RequestRefused(`Operation ${id} has ended: ${operation.status}.`);
    return operation;
  }

  private async note(request: typeof RETRY, values: unknown[]): Promise<RequestedOperation> {
    const [operation] = await this.database.query<RequestedOperation>(request, values);
    if (!operation) throw new RequestRefused(`Operation ${String(values[0])} has already ended.`);
    return operation;
  }
}
