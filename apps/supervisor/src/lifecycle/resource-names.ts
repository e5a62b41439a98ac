import { placeAccount, type Place, type ResourceKind } from '@libs/cloud';
import type { DeploymentId } from '@libs/domain';
import type { DeploymentFacts } from '@libs/persistence/runtime';

/** Returns the deterministic name of a deployment's resource: a repeated step uses the same name. */
export const resourceName = (
  installation: string,
  deploymentId: DeploymentId,
  kind: ResourceKind,
  ...parts: number[]
): string => ['ld', installation, deploymentId, kind.replaceAll('_', '-'), ...parts].join('-');

/** Returns the place of a deployment's resources. */
export const placeOf = ({ cloud, region, account_id, tenant_id }: DeploymentFacts): Place => ({
  cloud,
  region,
  account: account_id === null ? null : placeAccount(account_id, tenant_id),
});
