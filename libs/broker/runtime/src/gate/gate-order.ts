import type { GateRule, NodeCertificate } from '@libs/domain';
import type { GateState } from '../broker-runtime.js';
import { canonicalHash } from '../canonical-hash.js';

/** `PUT /rules` of the control channel, and the `gate` part of the configuration file. */
export interface GateOrder {
  rules: GateRule[];
  server_offset_ms: number;
  /** Absent or null: there is no TLS. */
  certs?: NodeCertificate | null;
}

export const gateOrder = ({ rules, serverOffsetMs, certs }: GateState): GateOrder => ({
  rules,
  server_offset_ms: serverOffsetMs,
  certs,
});

/** What a gate enforces and shows, as one hash. The key stays out of it: another key makes another certificate. */
export function gateHash({ rules, certs }: Pick<GateOrder, 'rules' | 'certs'>): string {
  return canonicalHash(certs ? { rules, certificate: certs.certificate } : rules);
}
