import type { Outcome } from '../plugins/plugin.js';
import type { ConnectorMessage } from './connector-message.js';
import { MessageRefused } from './message-refused.js';

type Send = (messages: readonly ConnectorMessage[]) => Promise<void>;

/**
 * Sends a batch. When the destination refuses the content of a batch, sends its halves, until each refused message is alone.
 * So a poison message costs some requests, and all other messages arrive.
 */
export async function sendApart(
  messages: readonly ConnectorMessage[],
  send: Send,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<void> {
  const [only] = messages;
  if (only === undefined || signal.aborted) return;
  try {
    await send(messages);
  } catch (error) {
    if (!(error instanceof MessageRefused)) throw error;
    if (messages.length === 1) return outcome.refused([{ message: only, reason: error.message }]);
    const middle = Math.ceil(messages.length / 2);
    await sendApart(messages.slice(0, middle), send, outcome, signal);
    return sendApart(messages.slice(middle), send, outcome, signal);
  }
  await outcome.taken(messages);
}

/** Parts of at most `size` messages, in order. */
export function* partsOf<T>(messages: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < messages.length; start += size) yield messages.slice(start, start + size);
}
