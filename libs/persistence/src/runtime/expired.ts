import type { DeploymentId } from '@libs/domain';

/** A stored object of a deployment whose retention is over. */
export interface Expired<Id extends number> {
  id: Id;
  deploymentId: DeploymentId;
}
