import type { BrokerDriver, BrokerFeatures } from '@libs/domain';
import { clustersIggy, isProvenIggy } from '@libs/domain/iggy-releases';

/** What each driver of a broker does, with the releases that Landlord is proven with. */
export const BROKER_FEATURES: Record<BrokerDriver, BrokerFeatures> = {
  iggy: { encryption: 'real', rate_limit: 'real', proxy_protocol: 'real', replication: 'none', backup: 'real' },
  nats: { encryption: 'real', rate_limit: 'real', proxy_protocol: 'real', replication: 'real', backup: 'real' },
  embedded: { encryption: 'real', rate_limit: 'real', proxy_protocol: 'real', replication: 'none', backup: 'real' },
};

/**
 * What a driver does with one release. An unproven release has no backups, because copies of its data may be unusable, and no encryption,
 * because its settings are unknown.
 */
export function brokerFeatures(driver: BrokerDriver, release: string | null): BrokerFeatures {
  const features = BROKER_FEATURES[driver];
  if (driver !== 'iggy' || release === null || isProvenIggy(release)) return features;
  return { ...features, encryption: 'none', backup: 'none', replication: clustersIggy(release) ? 'real' : 'none' };
}

/** Drivers whose nodes form no cluster in any proven release: each node would be a broker of its own. */
export const SINGLE_NODE_DRIVERS: ReadonlySet<BrokerDriver> = new Set<BrokerDriver>(['iggy']);
