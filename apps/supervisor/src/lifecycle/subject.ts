import type { OperationRow } from '@libs/workflow';

/** A lifecycle operation without a deployment: its row is broken, nobody can run it. */
class NoSubject extends Error {}

/** The private connection that an operation makes or deletes. */
export const connectionOf = (operation: OperationRow): number => Number(operation.memo['private_connection_id']);

/** The deployment that a lifecycle operation is about. */
export function deploymentOf(operation: OperationRow): number {
  if (operation.deployment_id === null) throw new NoSubject(`operation ${operation.id} names no deployment`);
  return operation.deployment_id;
}
