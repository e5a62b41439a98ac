import type { GateRule, NodeCertificate } from '@libs/domain';
import type { ClientCredentials, GateState } from '../broker-runtime.js';
import { canonicalHash } from '../canonical-hash.js';

/** `PUT /rules` of the control channel, and the `gate` part of the configuration file. */
export interface GateSettings {
  rules: GateRule[];
  server_offset_ms: number;
  /** Absent or null: no TLS. */
  certs?: NodeCertificate | null;
  credentials: ClientCredentials;
}

export const gateSettings = ({ rules, serverOffsetMs, certs, credentials }: GateState): GateSettings => ({
  rules,
  server_offset_ms: serverOffsetMs,
  certs,
  credentials,
});

/**
 * One hash of the rules, the certificate and the credentials of a gate. Excludes the key, because a new key implies a new
 * certificate.
 */
export function gateHash({ rules, certs, credentials }: Omit<GateSettings, 'server_offset_ms'>): string {
  return canonicalHash({ rules, credentials, ...(certs && { certificate: certs.certificate }) });
}
