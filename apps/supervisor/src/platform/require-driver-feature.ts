import { DomainError, type DriverFeature } from '@libs/domain';
import type { DeploymentFacts } from '@libs/persistence/runtime';

/**
 * Refuses what the drivers of the deployment do not do.
 * @throws DomainError feature_unavailable
 */
export function requireDriverFeature({ cloud, features }: DeploymentFacts, feature: DriverFeature): void {
  if ((features[feature] ?? 'none') !== 'none') return;
  throw new DomainError('feature_unavailable', `The drivers of the deployment on ${cloud} do not do this.`, {
    members: { feature },
  });
}
