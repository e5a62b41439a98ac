import { DomainError, NOUN_OF_FEATURE, type DriverFeature } from '@libs/domain';
import type { DeploymentFacts } from '@libs/persistence/runtime';

/**
 * Refuses what the drivers of the deployment do not do.
 * @throws DomainError feature_unavailable
 */
export function requireDriverFeature({ cloud, features }: DeploymentFacts, feature: DriverFeature): void {
  if ((features[feature] ?? 'none') !== 'none') return;
  throw new DomainError(
    'feature_unavailable',
    `The drivers that run this deployment on ${cloud} do not support ${NOUN_OF_FEATURE[feature]}. GET …/clouds says what each cloud can do.`,
    { members: { feature } },
  );
}
