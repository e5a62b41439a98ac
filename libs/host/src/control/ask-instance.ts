import { BrokerError } from './broker-error.js';
import { contactInstance, type InstanceContact, type InstanceRole } from './instance-socket.js';
import type { NodeHome } from './node-home.js';
import { requestJson, type SocketAnswer, type SocketRequest } from './socket-request.js';
import { isProven, PROOF_HEADER, PROOF_PATH, proveRequest } from './proofs.js';

const ASK_TIMEOUT_MS = 5_000;

export type Ask = Omit<SocketRequest, 'authorization' | 'timeoutMs'> & Partial<Pick<SocketRequest, 'timeoutMs'>>;

/**
 * Sends a request to a process of the node over its control channel. Null when the process does not listen: no listener, or a
 * listener without its token. Throws BrokerError when the process listens but does not answer, or refuses.
 */
export async function askInstance(home: NodeHome, role: InstanceRole, call: Ask): Promise<SocketAnswer | null> {
  const contact = await contactInstance(home, role);
  if (contact === null) return null;
  try {
    const answer = await askProven(contact, call);
    if (answer && answer.status >= 300)
      throw new BrokerError(`the ${role} returned ${answer.status}${whyOf(answer.body)}`);
    return answer;
  } catch (error) {
    if (isNobody(error)) return null;
    throw error;
  }
}

/** Whether the process behind the contact is alive, for a process that wants to take its role. */
export async function isAlive(contact: InstanceContact): Promise<boolean> {
  return (await askProven(contact, { method: 'GET', path: PROOF_PATH }).catch(() => null)) !== null;
}

/** Null when the answer is from another process. */
async function askProven({ at, token }: InstanceContact, call: Ask): Promise<SocketAnswer | null> {
  const payload = call.body === undefined ? '' : JSON.stringify(call.body);
  const { nonce, header: authorization } = proveRequest(token, 'control', { ...call, payload });
  const answer = await requestJson(at, { timeoutMs: ASK_TIMEOUT_MS, ...call, authorization });
  const answered = { status: answer.status, payload: answer.text };
  return isProven(token, nonce, answer.headers[PROOF_HEADER], answered) ? answer : null;
}

function whyOf(body: unknown): string {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? `: ${error}` : '';
}

/** Nothing listens there, or the process died during the request. */
export function isNobody(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
