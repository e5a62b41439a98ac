import type { BrokerDriver, BrokerFeatures } from '@libs/domain';

/** What each driver of a broker does. The configuration of iggy is only rendered: no node runs this broker yet. */
export const BROKER_FEATURES: Record<BrokerDriver, BrokerFeatures> = {
  iggy: { encryption: 'none', rate_limit: 'none', proxy_protocol: 'none', replication: 'none', backup: 'none' },
  nats: { encryption: 'real', rate_limit: 'real', proxy_protocol: 'none', replication: 'real', backup: 'real' },
  embedded: { encryption: 'real', rate_limit: 'real', proxy_protocol: 'none', replication: 'none', backup: 'real' },
};
