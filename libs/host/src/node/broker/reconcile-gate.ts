import type { NodeDocument } from '@libs/domain';
import { gateHash } from '../../control/gate-settings.js';
import type { BrokerContact, BrokerRuntime, GateState } from '../../control/broker-runtime.js';
import type { NodeHome } from '../../control/node-home.js';

/** Smaller changes of the clock offset need no update. */
const OFFSET_TOLERANCE_MS = 250;

/** Updates the gate of a running broker when it differs from the wanted state. */
export async function reconcileGate(
  runtime: BrokerRuntime,
  home: NodeHome,
  contact: BrokerContact,
  desired: GateState,
): Promise<void> {
  const drift = Math.abs(contact.serverOffsetMs - desired.serverOffsetMs);
  if (contact.gateHash === gateHash(desired) && drift <= OFFSET_TOLERANCE_MS) return;
  await runtime.applyGate(home, desired);
}

/** The state of the gate in the document. */
export function gateStateOf({ spec }: NodeDocument, serverOffsetMs: number): GateState {
  const { access_rules: rules, proxies = [], certs = null, credentials, previous_password: previous = null } = spec;
  const { username, password } = credentials;
  return { rules, proxies, serverOffsetMs, certs, credentials: { username, password, previous } };
}
