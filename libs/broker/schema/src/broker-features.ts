import type { BrokerDriver, BrokerFeatures } from '@libs/domain';

/** What each driver of a broker does. */
export const BROKER_FEATURES: Record<BrokerDriver, BrokerFeatures> = {
  iggy: { encryption: 'none', rate_limit: 'real', proxy_protocol: 'none', replication: 'none', backup: 'real' },
  nats: { encryption: 'real', rate_limit: 'real', proxy_protocol: 'none', replication: 'real', backup: 'real' },
  embedded: { encryption: 'real', rate_limit: 'real', proxy_protocol: 'none', replication: 'none', backup: 'real' },
};

/** Drivers whose nodes form no cluster: each node would be a broker of its own. */
export const SINGLE_NODE_DRIVERS: ReadonlySet<BrokerDriver> = new Set<BrokerDriver>(['iggy']);
