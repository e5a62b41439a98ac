import { SINGLE_NODE_DRIVERS } from '@libs/broker-config';
import { DomainError, NOUN_OF_FEATURE, type BrokerDriver, type DriverFeature, type FeatureLevels } from '@libs/domain';
import type { Cell } from '@libs/persistence/organization';
import { featuresOf } from '../../catalog/index.js';
import type { DeploymentRequest } from './managed-rules.js';

/** What a request may need from a driver. */
interface Need {
  feature: DriverFeature;
  isIn: (request: DeploymentRequest) => boolean;
  /** The member of the request. */
  member: string;
}

const NEEDS: Need[] = [
  { feature: 'encryption', isIn: ({ isEncrypted }) => isEncrypted, member: 'encrypted' },
  { feature: 'dedicated', isIn: ({ isDedicated }) => isDedicated, member: 'dedicated' },
];

/** Nodes that form no cluster would be unrelated brokers with one price. No customer wants them (decision 0057). */
const CLUSTER: Need = {
  feature: 'replication',
  isIn: ({ shape }) => shape.cluster === 'cluster',
  member: 'cluster',
};

/**
 * Refuses an order of what no driver of the region does.
 * @throws DomainError feature_unavailable naming the feature and the drivers
 */
export function requireDrivers(cell: Cell, request: DeploymentRequest): void {
  const { cloud } = request.shape;
  const features = featuresOf(cell, cloud);
  const needs = SINGLE_NODE_DRIVERS.has(cell.broker_driver) ? [CLUSTER, ...NEEDS] : NEEDS;
  for (const { feature, isIn, member } of needs) {
    if (!isIn(request) || (features[feature] ?? 'none') !== 'none') continue;
    const drivers = `${cell.cloud_drivers[cloud] ?? ''}, ${cell.broker_driver}`;
    throw new DomainError(
      'feature_unavailable',
      `\`${member}\` is not available: neither driver of this region (${drivers}) supports ${NOUN_OF_FEATURE[feature]}. GET …/clouds says which clouds do.`,
      {
        members: { feature, cloud_driver: cell.cloud_drivers[cloud] ?? null, broker_driver: cell.broker_driver },
      },
    );
  }
}

/** What a customer should know about the deployment before and after the order. */
export function warningsOf(
  shape: { cluster: string },
  features: FeatureLevels,
  broker: BrokerDriver | null = null,
): string[] {
  if (shape.cluster !== 'cluster' || (features.replication ?? 'none') !== 'none') return [];
  const keeps = broker !== null && SINGLE_NODE_DRIVERS.has(broker) ? '.' : ': one node keeps all of them.';
  return [`The nodes of the cluster do not replicate messages${keeps}`];
}
