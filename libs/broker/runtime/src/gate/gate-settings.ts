import type { GateRule, NodeCertificate } from '@libs/domain';
import type { GateState } from '../broker-runtime.js';
import { canonicalHash } from '../canonical-hash.js';

/** `PUT /rules` of the control channel, and the `gate` part of the configuration file. */
export interface GateSettings {
  rules: GateRule[];
  server_offset_ms: number;
  /** Absent or null: no TLS. */
  certs?: NodeCertificate | null;
}

export const gateSettings = ({ rules, serverOffsetMs, certs }: GateState): GateSettings => ({
  rules,
  server_offset_ms: serverOffsetMs,
  certs,
});

/** One hash of the rules and the certificate of a gate. Excludes the key, because a new key implies a new certificate. */
export function gateHash({ rules, certs }: Pick<GateSettings, 'rules' | 'certs'>): string {
  return canonicalHash(certs ? { rules, certificate: certs.certificate } : rules);
}
