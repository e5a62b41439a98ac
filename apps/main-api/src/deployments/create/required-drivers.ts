import { DomainError, type DriverFeature, type FeatureLevels } from '@libs/domain';
import type { Cell } from '@libs/persistence/organization';
import { featuresOf } from '../../catalog/index.js';
import type { DeploymentRequest } from './managed-rules.js';

/** What the request asks of the drivers, with the name of the member. */
const ASKED: [DriverFeature, (request: DeploymentRequest) => boolean, string][] = [
  ['encryption', ({ isEncrypted }) => isEncrypted, 'encrypted'],
  ['dedicated', ({ isDedicated }) => isDedicated, 'dedicated'],
];

/**
 * Refuses an order of what no driver of the region does.
 * @throws DomainError feature_unavailable naming the feature and the drivers
 */
export function requireDrivers(cell: Cell, request: DeploymentRequest): void {
  const { cloud } = request.shape;
  const features = featuresOf(cell, cloud);
  for (const [feature, isAsked, member] of ASKED) {
    if (!isAsked(request) || (features[feature] ?? 'none') !== 'none') continue;
    const drivers = `${cell.cloud_drivers[cloud] ?? ''} and ${cell.broker_driver}`;
    throw new DomainError('feature_unavailable', `\`${member}\` is done by neither of the drivers ${drivers}.`, {
      members: { feature, cloud_driver: cell.cloud_drivers[cloud] ?? null, broker_driver: cell.broker_driver },
    });
  }
}

/** What a customer should know about the deployment before and after the order. */
export const warningsOf = (shape: { cluster: string }, features: FeatureLevels): string[] =>
  shape.cluster === 'cluster' && (features.replication ?? 'none') === 'none'
    ? ['The nodes of the cluster do not replicate messages: one node keeps all of them.']
    : [];
