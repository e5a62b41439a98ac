import { SINGLE_NODE_DRIVERS } from '@libs/broker-config';
import { DomainError, type BrokerDriver, type DriverFeature, type FeatureLevels } from '@libs/domain';
import type { Cell } from '@libs/persistence/organization';
import { featuresOf } from '../../catalog/index.js';
import type { DeploymentRequest } from './managed-rules.js';

type Asks = (request: DeploymentRequest) => boolean;

/** What the request asks of the drivers, with the name of the member. */
const ASKED: [DriverFeature, Asks, string][] = [
  ['encryption', ({ isEncrypted }) => isEncrypted, 'encrypted'],
  ['dedicated', ({ isDedicated }) => isDedicated, 'dedicated'],
];

/** Nodes that form no cluster would be unrelated brokers with one price. No customer wants them (decision 0057). */
const CLUSTERED: [DriverFeature, Asks, string] = ['replication', ({ shape }) => shape.cluster === 'cluster', 'cluster'];

/**
 * Refuses an order of what no driver of the region does.
 * @throws DomainError feature_unavailable naming the feature and the drivers
 */
export function requireDrivers(cell: Cell, request: DeploymentRequest): void {
  const { cloud } = request.shape;
  const features = featuresOf(cell, cloud);
  const asked = SINGLE_NODE_DRIVERS.has(cell.broker_driver) ? [CLUSTERED, ...ASKED] : ASKED;
  for (const [feature, isAsked, member] of asked) {
    if (!isAsked(request) || (features[feature] ?? 'none') !== 'none') continue;
    const drivers = `${cell.cloud_drivers[cloud] ?? ''} and ${cell.broker_driver}`;
    throw new DomainError('feature_unavailable', `\`${member}\` is done by neither of the drivers ${drivers}.`, {
      members: { feature, cloud_driver: cell.cloud_drivers[cloud] ?? null, broker_driver: cell.broker_driver },
    });
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
