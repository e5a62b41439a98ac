import type { ResourceKind } from '@libs/cloud';
import type { DeploymentId } from '@libs/domain';

/** Returns the deterministic name of a deployment's resource: a repeated step uses the same name. */
export const resourceName = (
  installation: string,
  deploymentId: DeploymentId,
  kind: ResourceKind,
  part?: number,
): string => `ld-${installation}-${deploymentId}-${kind.replaceAll('_', '-')}${part === undefined ? '' : `-${part}`}`;
