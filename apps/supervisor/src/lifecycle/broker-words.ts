import type { NodeRow } from '@libs/persistence/runtime';

/** As often a broker may die of a change before the change is taken for the reason. */
const DEATHS = 2;

const brokerOf = ({ runtimes }: NodeRow) => runtimes.find(({ runtime }) => runtime === 'broker');

/** The last words of the node's broker; null without any. */
export const lastError = (node: NodeRow): string | null => brokerOf(node)?.last_error ?? null;

/** How often its agent had to start it again. */
export const restartsOf = (node: NodeRow): number => brokerOf(node)?.restarts ?? 0;

/**
 * Why the broker of a node that has not taken up its document will not, in its own words; null while it still may. One that
 * runs on tells a refusal, one that was started with it has died more than once. What it said before is no reason.
 */
export function whyRefused(node: NodeRow, before: { error: string | null; restarts: number }): string | null {
  const said = lastError(node);
  if (said === null) return null;
  const hasDied = restartsOf(node) - before.restarts >= DEATHS;
  const hasRefused = said !== before.error && brokerOf(node)?.status === 'running';
  return hasDied || hasRefused ? said : null;
}
