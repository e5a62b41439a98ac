import { OPERATIONS, type OperationStatus, type OperationType } from '@libs/domain';
import { statement, type Database } from '@libs/persistence';

/** What an operator wants cannot be done; the message says why. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

/** The operation that an operator's request is about, as it stood when the request was noted. */
export interface RequestedOperation {
  id: number;
  type: OperationType;
  tenant_id: number;
  division_id: number | null;
  environment_id: number | null;
  deployment_id: number | null;
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

// signal_seq moves, so that a step that is about to nap does not sleep over the request.
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
 * What an operator may ask of an operation that is under way. Only notes the wish: the runner, which alone moves
 * operations, sees it before its next step; the sweeper rings within a second. Runs in the caller's transaction.
 */
export class OperatorRequests {
  constructor(private readonly database: Database) {}

  /** Tries the current step again now, as if for the first time. @throws RequestRefused */
  async retry(id: number): Promise<RequestedOperation> {
    await this.requireOpen(id);
    return this.note(RETRY, [id]);
  }

  /** Passes over the current step, as if it had ended well; what it would have done is the operator's to do. @throws RequestRefused */
  async skip(id: number): Promise<RequestedOperation> {
    await this.requireOpen(id);
    return this.note(SKIP, [id]);
  }

  /** Gives the operation up: what it did is undone, and it ends as `cancelled`. @throws RequestRefused */
  async cancel(id: number, reason: string): Promise<RequestedOperation> {
    const { type, undoing } = await this.requireOpen(id);
    if (!OPERATIONS[type].cancellable) throw new RequestRefused(`A ${type} cannot be cancelled; use retry or skip.`);
    if (undoing) throw new RequestRefused(`Operation ${id} is being undone already.`);
    return this.note(CANCEL, [id, reason]);
  }

  /** Locks the row, so that what was checked still holds when the wish is noted. */
  private async requireOpen(id: number): Promise<RequestedOperation> {
    const [operation] = await this.database.query<RequestedOperation>(FIND, [id]);
    if (!operation) throw new RequestRefused(`There is no operation ${id}.`);
    if (operation.status !== 'pending' && operation.status !== 'running')
      throw new RequestRefused(`Operation ${id} has ended: ${operation.status}.`);
    return operation;
  }

  private async note(request: typeof RETRY, values: unknown[]): Promise<RequestedOperation> {
    const [operation] = await this.database.query<RequestedOperation>(request, values);
    if (!operation) throw new RequestRefused(`Operation ${String(values[0])} has just ended.`);
    return operation;
  }
}
