import type { DeploymentId, OperationId, TenantId } from '@libs/domain';
import { OperationCommands, type OperatorOperation } from '@libs/operator';
import { ago, fields, printFacts, printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

export interface OperationListOptions extends Output {
  tenant?: TenantId;
  deployment?: DeploymentId;
  status?: string;
  type?: string;
  limit: number;
}

type Operation = Awaited<ReturnType<OperationCommands['get']>>;

export const isOpen = (status: string): boolean => status === 'pending' || status === 'running';

/** How far an operation is, and what it waits for or why it ended. */
export const PROGRESS = {
  ...fields('status', 'step', 'attempt'),
  'next try': (row: OperatorOperation) => (isOpen(row.status) ? ago(row.wake_at) : '-'),
  created: (row: OperatorOperation) => ago(row.created_at),
  note: (row: OperatorOperation) => row.reason ?? row.waits_for ?? row.last_error,
};

/** `landlord ops operations list` */
export async function listOperations(options: OperationListOptions): Promise<void> {
  const { tenant = null, deployment = null, status = null, type = null, limit } = options;
  const filter = { tenantId: tenant, deploymentId: deployment, status, type, limit };
  const rows = await withSession((session) => new OperationCommands(session).list(filter));
  printList(
    rows,
    {
      ...fields('id', 'type'),
      tenant: (row) => row.tenant_id,
      deployment: (row) => row.deployment_id,
      ...PROGRESS,
    },
    options,
    'No operations.',
  );
}

/** `landlord ops operations show <id>` */
export async function showOperation(id: OperationId, output: Output): Promise<void> {
  const operation = await withSession((session) => new OperationCommands(session).get(id));
  printFacts(factsOf(operation), operation, output);
  if (output.json) return;
  say('');
  printList(
    operation.steps,
    {
      step: (step) => step.name,
      ...fields('status', 'attempts'),
      finished: (step) => (step.finished_at === null ? null : new Date(step.finished_at)),
      error: (step) => step.error,
    },
    output,
    'No step has finished.',
  );
}

/** `landlord ops operations retry <id>` */
export async function retryOperation(id: OperationId): Promise<void> {
  const { step } = await withSession((session) => new OperationCommands(session).retry(id));
  say(`Operation ${id} retries ${step} now. Show the result: landlord ops operations show ${id}`);
}

/** `landlord ops operations skip <id>` */
export async function skipOperation(id: OperationId): Promise<void> {
  const { step } = await withSession((session) => new OperationCommands(session).skip(id));
  say(`Operation ${id} skips ${step}. Do the work of this step yourself.`);
}

/** `landlord ops operations cancel <id>` */
export async function cancelOperation(id: OperationId, { reason }: { reason: string }): Promise<void> {
  const { step } = await withSession((session) => new OperationCommands(session).cancel(id, reason));
  say(`Operation ${id} is cancelled at ${step}. Landlord undoes its finished steps.`);
}

function factsOf(operation: Operation): Record<string, string | number | Date | null> {
  const { incident, lease_until } = operation;
  const isHeld = lease_until !== null && lease_until.getTime() > Date.now();
  return {
    operation: `${operation.id} ${operation.type}${operation.undoing ? ' (undoing)' : ''}`,
    tenant: operation.tenant_id,
    deployment: operation.deployment_id,
    status: operation.status,
    step: `${operation.step}, attempt ${operation.attempt + 1}`,
    'next try': isOpen(operation.status) ? ago(operation.wake_at) : '-',
    deadline: operation.deadline === null ? null : `${operation.deadline.toISOString()} (${ago(operation.deadline)})`,
    'waits for': operation.waits_for,
    worker: isHeld ? 'working now' : 'none',
    'last error': operation.last_error,
    reason: operation.reason,
    asked: operation.cancel_reason
      ? `cancel: ${operation.cancel_reason}`
      : operation.skip_step && `skip ${operation.skip_step}`,
    incident: incident && `${incident.id} ${incident.kind}: ${incident.detail}${incident.closed_at ? ' (closed)' : ''}`,
    queue: operation.queue,
    trace: operation.trace_id,
    created: operation.created_at,
    finished: operation.finished_at,
  };
}
