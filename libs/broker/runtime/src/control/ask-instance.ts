import { BrokerError } from '../broker-error.js';
import { contactInstance, type InstanceRole } from '../instance-socket.js';
import type { NodePlace } from '../node-place.js';
import { requestJson, type SocketAnswer, type SocketRequest } from '../socket-request.js';

const ASK_TIMEOUT_MS = 5_000;

export type Ask = Omit<SocketRequest, 'token' | 'timeoutMs'> & Partial<Pick<SocketRequest, 'timeoutMs'>>;

/**
 * Asks a process of the node over its control channel. Null when nothing listens, or nothing was ever started (no
 * token). Throws BrokerError when something listens, but does not answer as this node's process.
 */
export async function askInstance(
  place: NodePlace,
  role: InstanceRole,
  token: string | null,
  call: Ask,
): Promise<SocketAnswer | null> {
  const contact = await contactInstance(place, role);
  if (token === null || contact === null) return null;
  try {
    const answer = await requestJson(contact, { timeoutMs: ASK_TIMEOUT_MS, ...call, token });
    if (answer.status >= 300) throw new BrokerError(`the ${role} answered ${answer.status}${whyOf(answer.body)}`);
    return answer;
  } catch (error) {
    if (isNobody(error)) return null;
    throw error;
  }
}

function whyOf(body: unknown): string {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? `: ${error}` : '';
}

/** Nobody listens there, or whoever did died while it was asked. */
export function isNobody(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
