import type { NodeDocument } from '@libs/domain';
import { gateHash, type BrokerContact, type BrokerRuntime, type GateState, type NodePlace } from '@libs/broker/runtime';

/** Smaller drifts of the server's clock are not worth a call. */
const OFFSET_TOLERANCE_MS = 250;

/** Brings the gate of a running broker to the wanted state unless it has it. */
export async function reconcileGate(
  runtime: BrokerRuntime,
  place: NodePlace,
  contact: BrokerContact,
  wanted: GateState,
): Promise<void> {
  const drift = Math.abs(contact.serverOffsetMs - wanted.serverOffsetMs);
  if (contact.gateHash === gateHash(wanted) && drift <= OFFSET_TOLERANCE_MS) return;
  await runtime.applyGate(place, wanted);
}

/** How the document wants the gate to be. */
export function gateStateOf({ spec }: NodeDocument, serverOffsetMs: number): GateState {
  return { rules: spec.access_rules, serverOffsetMs, certs: spec.certs ?? null };
}
