import type { AuditType, OperationId } from '@libs/domain';
import {
  OperationCommandsRepository,
  TenantCommandsRepository,
  type OperatorOperation,
  type OperatorOperationDetail,
  type OperatorOperationFilter,
} from '@libs/persistence/operator';
import { OperatorRequests, RequestRefused, type RequestedOperation } from '@libs/workflow';
import { contextOf, tenantContext } from './operator-journal.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

type Act = 'retry' | 'skip' | 'cancel';

const AUDITS: Record<Act, AuditType> = {
  retry: 'operation_retried',
  skip: 'operation_step_skipped',
  cancel: 'operation_cancelled',
};

/** Operations of all tenants: reads them, and requests a retry, skip or cancellation from the runner. */
export class OperationCommands {
  private readonly rows: OperationCommandsRepository;
  private readonly tenants: TenantCommandsRepository;
  private readonly requests: OperatorRequests;

  constructor(private readonly session: OperatorSession) {
    this.rows = new OperationCommandsRepository(session.database);
    this.tenants = new TenantCommandsRepository(session.database);
    this.requests = new OperatorRequests(session.database);
  }

  /** Newest first. */
  list(filter: OperatorOperationFilter): Promise<OperatorOperation[]> {
    return this.rows.list(filter);
  }

  /** @throws OperatorRefused */
  async get(id: OperationId): Promise<OperatorOperationDetail> {
    const operation = await this.rows.find(id);
    if (!operation)
      throw new OperatorRefused(`There is no operation ${id}. List all operations: landlord ops operations list`);
    return operation;
  }

  /** Retries the current step with a new count of attempts. @throws OperatorRefused */
  retry(id: OperationId): Promise<RequestedOperation> {
    return this.act('retry', id, () => this.requests.retry(id));
  }

  /** Skips the current step. @throws OperatorRefused */
  skip(id: OperationId): Promise<RequestedOperation> {
    return this.act('skip', id, () => this.requests.skip(id));
  }

  /** Cancels the operation and undoes its steps. @throws OperatorRefused */
  cancel(id: OperationId, reason: string): Promise<RequestedOperation> {
    return this.act('cancel', id, () => this.requests.cancel(id, reason), reason);
  }

  private async act(
    act: Act,
    id: OperationId,
    request: () => Promise<RequestedOperation>,
    reason?: string,
  ): Promise<RequestedOperation> {
    try {
      return await this.session.database.transaction(async () => {
        const operation = await request();
        await this.record(act, operation, reason);
        return operation;
      });
    } catch (error) {
      throw error instanceof RequestRefused ? new OperatorRefused(error.message, { cause: error }) : error;
    }
  }

  private async record(act: Act, operation: RequestedOperation, reason?: string): Promise<void> {
    const names = operation.deployment_id && (await this.tenants.contextOfDeployment(operation.deployment_id));
    const data = { operation_id: operation.id, type: operation.type, step: operation.step, ...(reason && { reason }) };
    await this.session.journal.record({
      verb: `operations ${act}`,
      subject: `operation ${operation.id}`,
      detail: data,
      audit: {
        type: AUDITS[act],
        context: names ? contextOf(names) : tenantContext(operation.tenant_id),
        data,
        traceId: operation.trace_id,
      },
    });
  }
}
