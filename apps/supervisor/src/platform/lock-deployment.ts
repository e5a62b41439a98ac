import { DomainError, type DeploymentStatus, type DeploymentId } from '@libs/domain';
import type { RuntimesRepository } from '@libs/persistence/runtime';

/**
 * Locks a deployment until the transaction ends, so that the next counts and names cannot change concurrently. Returns
 * its status.
 * @throws DomainError deployment_not_found
 */
export async function lockDeployment(runtimes: RuntimesRepository, id: DeploymentId): Promise<DeploymentStatus> {
  const status = await runtimes.findStatusForUpdate(id);
  if (status === null) throw new DomainError('deployment_not_found', 'No such deployment.');
  return status;
}

/** @throws DomainError state_conflict for a deployment that is being deleted */
export function requireAlive(status: DeploymentStatus): void {
  if (status !== 'deleting') return;
  throw new DomainError('state_conflict', 'The deployment is being deleted.', { members: { state: status } });
}
