import type { GateRule, NodeCertificate } from '@libs/domain';
import type { ClientCredentials, GateState } from './broker-runtime.js';
import { canonicalHash } from '../os/canonical-hash.js';

/** `PUT /rules` of the control channel, and the `gate` part of the configuration file. */
export interface GateSettings {
  rules: GateRule[];
  /** Networks whose connections must begin with a header of the PROXY protocol. Absent: none. */
  proxies?: string[];
  server_offset_ms: number;
  /** Absent or null: no TLS. */
  certs?: NodeCertificate | null;
  credentials: ClientCredentials;
}

export const gateSettings = ({ rules, proxies, serverOffsetMs, certs, credentials }: GateState): GateSettings => ({
  rules,
  ...(proxies && { proxies }),
  server_offset_ms: serverOffsetMs,
  certs,
  credentials,
});

/**
 * One hash of the rules, the networks of proxies, the certificate and the credentials of a gate. Excludes the key, because a new key
 * implies a new certificate. Without networks of proxies the hash is the one of earlier releases.
 */
export function gateHash({ rules, proxies = [], certs, credentials }: Omit<GateSettings, 'server_offset_ms'>): string {
  return canonicalHash({
    ...{ rules, credentials },
    ...(proxies.length > 0 && { proxies }),
    ...(certs && { certificate: certs.certificate }),
  });
}
