import type { NodeRow } from '@libs/persistence/runtime';

/** Number of deaths of a broker after which the change counts as the cause. */
const DEATHS = 2;

const brokerOf = ({ runtimes }: NodeRow) => runtimes.find(({ runtime }) => runtime === 'broker');

/** Returns the exit reason of the node's broker, or null. */
export const lastError = (node: NodeRow): string | null => brokerOf(node)?.last_error ?? null;

/** Returns how often the agent had to restart the broker. */
export const restartsOf = (node: NodeRow): number => brokerOf(node)?.restarts ?? 0;

/**
 * Returns why the broker of a node refuses the document that the node has not applied, with the broker's own error.
 * Null: the broker may still accept it. A broker that keeps running reports a refusal; a broker that starts with the
 * document has died more than once. An error from before the change does not count.
 */
export function whyRefused(node: NodeRow, before: { error: string | null; restarts: number }): string | null {
  const said = lastError(node);
  if (said === null) return null;
  const hasDied = restartsOf(node) - before.restarts >= DEATHS;
  const hasRefused = said !== before.error && brokerOf(node)?.status === 'running';
  return hasDied || hasRefused ? said : null;
}
