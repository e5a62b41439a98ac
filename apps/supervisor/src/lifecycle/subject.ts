import type { OperationRow } from '@libs/workflow';

/** A lifecycle operation without a deployment. Its row is broken, and no worker can run it. */
class NoSubject extends Error {}

/** Returns the private connection that an operation creates or deletes. */
export const connectionOf = (operation: OperationRow): number => Number(operation.memo['private_connection_id']);

/** Returns the deployment of a lifecycle operation. */
export function deploymentOf(operation: OperationRow): number {
  if (operation.deployment_id === null) throw new NoSubject(`operation ${operation.id} names no deployment`);
  return operation.deployment_id;
}
