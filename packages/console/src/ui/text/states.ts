/** What a state means: green, amber, red, or grey for what is at rest or not known. */
export type StateKind = 'good' | 'busy' | 'bad' | 'calm';

/** Every state of both APIs. A test compares this table with the OpenAPI documents. */
const STATES: Readonly<Record<StateKind, readonly string[]>> = {
  good: [
    ...['initialized', 'running', 'succeeded', 'paid', 'completed', 'active', 'available', 'accepted', 'approved'],
    ...['valid', 'delivered'],
  ],
  busy: [
    ...['creating', 'initializing', 'creating_subnet', 'securing_network', 'deploying_nodes', 'assigning_public_ip'],
    ...['creating_load_balancer', 'configuring_load_balancer', 'configuring_dns', 'configuring_certificates'],
    ...['waiting_for_nodes', 'bootstrapping_agent', 'upgrading', 'restoring', 'rolling_back', 'deleting'],
    ...['pending', 'waiting', 'starting', 'processing', 'in_progress', 'provisioning', 'initiating_request'],
    ...['pending_acceptance', 'expiring'],
  ],
  bad: ['failed', 'degraded', 'unreachable', 'rejected', 'expired', 'needs_attention', 'locked'],
  calm: [
    ...['stopped', 'skipped', 'undone', 'cancelled', 'deleted', 'inactive', 'closed', 'paused', 'draft', 'suppressed'],
    ...['replaced', 'unknown'],
  ],
};
const KINDS = new Map(
  (Object.entries(STATES) as [StateKind, readonly string[]][]).flatMap(([kind, states]) =>
    states.map((state) => [state, kind] as const),
  ),
);
/** States that people call otherwise. */
const WORDS: Readonly<Record<string, string>> = { initialized: 'ready' };

/** @param isWork Work that is running is not at its end. A node that is running is well. */
export function kindOf(state: string, isWork = false): StateKind {
  // A newer server can have a word that this page does not know. Such a word promises nothing.
  return isWork && state === 'running' ? 'busy' : (KINDS.get(state) ?? 'calm');
}

/** The words of a value of the API, the same in tables, tiles and filters. */
export const wordsOf = (value: string): string => WORDS[value] ?? value.replaceAll('_', ' ');
