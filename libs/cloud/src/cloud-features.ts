import type { CloudFeatures } from '@libs/domain';

/** What each driver of a cloud does. `played`: the resource has its states, and carries no traffic. */
export const CLOUD_FEATURES = {
  local: { dedicated: 'none', private_networking: 'played', proxy_protocol: 'none', backup: 'real' },
  // Each node has an instance of its own.
  aws: { dedicated: 'real', private_networking: 'real', proxy_protocol: 'none', backup: 'real' },
  gcp: { dedicated: 'real', private_networking: 'real', proxy_protocol: 'real', backup: 'real' },
  machines: { dedicated: 'real', private_networking: 'none', proxy_protocol: 'none', backup: 'real' },
} as const satisfies Record<string, CloudFeatures>;
